import { foldText } from "./fold-words.ts";
import { endsAsQuestion } from "./ends-as-question.ts";
import { splitSentences } from "./split-sentences.ts";

/** Phrases of a language, each without marks and accents. */
interface AnswerWords {
  /** Answers that are a yes by themselves. */
  readonly yes: string;
  /** Those of them that also say no more than "I see". */
  readonly seen: string;
  readonly no: string;
  /** Thanks and greetings. */
  readonly courtesy: string;
  /** Other phrases that stand beside an answer and change nothing about it. */
  readonly beside: string;
  /** Words that deny, or put off, wherever they stand. */
  readonly denied: string;
  /** Words that a question begins with. */
  readonly asks: string;
  /** Words that agree, in a message that may be a yes. */
  readonly agrees: string;
}

/** The words of answers in English and in the languages that sentences are shipped in. */
const WORDS: Readonly<Record<string, AnswerWords>> = {
  en: {
    yes: "yes|y|yep|yeah|yup|go on|go ahead|go for it|continue|do|do it|do that|make it so|make it happen|of course|definitely|absolutely",
    seen: "ok|okay|sure|fine|right|all right",
    no: "no|n|nope|nah|stop|dont|do not|dont do it|dont do that|cancel|not now|not yet|never mind|better not|rather not|leave it|leave them|leave it as it is|keep it|keep them|forget it",
    courtesy:
      "thanks|thank you|thanks a lot|many thanks|thank you very much|thank you so much|hello|hi|hey|good morning|good evening|good night|bye|goodbye",
    beside: "please|now|then|why not|no problem",
    denied:
      "not|never|none|nothing|neither|without|wait|except|unless|cannot|but|isnt|arent|wasnt|werent|doesnt|didnt|wont|cant|shouldnt|wouldnt|couldnt",
    asks: "what|which|how|why|who|when|where",
    agrees:
      "good|great|perfect|excellent|lovely|love|nice|brilliant|super|cool|exactly|correct|agreed|agree|works|happy|wonderful|fantastic|awesome|amazing|like|lets|sounds|looks|approve|approved|confirm|confirmed|proceed|want|glad|accept",
  },
  de: {
    yes: "ja|jawohl|klar|gerne|gern|mach das|mach es|tu das|tu es|weiter|mach weiter|einverstanden|unbedingt",
    seen: "gut|in ordnung|alles klar",
    no: "nein|ne|no|stopp|halt|abbrechen|nicht|lieber nicht|besser nicht|jetzt nicht|noch nicht|auf keinen fall|lass es|lass das|lass sie|mach das nicht|tu das nicht",
    courtesy:
      "danke|vielen dank|danke schon|hallo|guten morgen|guten tag|guten abend|gute nacht|tschuss",
    beside: "bitte|doch|warum nicht|kein problem",
    denied: "kein|keine|keinen|nie|niemals|nichts|ohne|warte|ausser|aber",
    asks: "was|welche|welcher|welches|wie|warum|wieso|wer|wann|wo",
    agrees:
      "super|toll|perfekt|prima|passt|genau|richtig|stimmt|bestatige|wunderbar|klingt|gefallt|freue|mochte|will",
  },
  es: {
    yes: "si|claro|hazlo|adelante|por supuesto|continua",
    seen: "vale|de acuerdo|bien",
    no: "no|cancela|dejalo|dejalos|dejalas|ahora no|todavia no|mejor no|no lo hagas",
    courtesy: "gracias|muchas gracias|hola|buenos dias|buenas tardes|buenas noches|adios",
    beside: "por favor|por que no|sin problema",
    denied: "nunca|nada|ningun|ninguna|sin|espera|excepto|pero",
    asks: "que|cual|cuales|como|quien|cuando|donde|cuanto|cuantos",
    agrees:
      "bueno|buena|perfecto|genial|excelente|exacto|correcto|confirmo|acepto|encanta|gusta|quiero|suena|vamos|dale",
  },
  fr: {
    yes: "oui|ouais|bien sur|vas y|allez y|fais le|faites le|continue",
    seen: "daccord|bien|tres bien",
    no: "non|arrete|annule|laisse|laisse tomber|pas maintenant|pas encore|surtout pas|ne le fais pas",
    courtesy: "merci|merci beaucoup|bonjour|bonsoir|salut|bonne nuit|au revoir",
    beside: "sil te plait|sil vous plait|pourquoi pas|pas de probleme",
    denied: "ne|pas|jamais|rien|aucun|aucune|sans|attends|sauf|mais",
    asks: "quoi|quel|quelle|quels|quelles|comment|pourquoi|qui|quand|combien|lesquels|lesquelles",
    agrees:
      "parfait|super|genial|excellent|exactement|confirme|accepte|aime|plait|veux|marche|allons",
  },
  it: {
    yes: "si|certo|fallo|procedi|vai|continua|avanti",
    seen: "va bene|daccordo|bene",
    no: "no|ferma|fermati|annulla|lascia|lascia stare|lascia perdere|non ora|non ancora|meglio di no|non farlo",
    courtesy: "grazie|grazie mille|ciao|buongiorno|buonasera|buonanotte|arrivederci",
    beside: "per favore|perche no|nessun problema",
    denied: "non|mai|niente|nessuno|nessuna|senza|aspetta|tranne",
    asks: "che|cosa|quale|quali|come|perche|chi|quando|dove|quanto|quanti",
    agrees: "perfetto|ottimo|bello|esatto|giusto|confermo|accetto|piace|voglio|andiamo",
  },
  nl: {
    yes: "ja|jawel|akkoord|doe maar|doe het|doe het maar|ga door|ga verder|graag",
    seen: "oke|goed|prima",
    no: "nee|annuleer|laat maar|niet nu|nog niet|liever niet|niet doen|doe het niet",
    courtesy: "dank je|dank je wel|bedankt|hallo|hoi|goedemorgen|goedenavond|doei",
    beside: "alsjeblieft|alstublieft|waarom niet|geen probleem",
    denied: "niet|geen|nooit|niets|zonder|wacht|behalve|maar",
    asks: "wat|welke|hoe|waarom|wie|wanneer|waar|hoeveel",
    agrees: "perfect|mooi|top|precies|klopt|bevestig|leuk|wil|klinkt",
  },
  pt: {
    yes: "sim|claro|faz|faca|faz isso|continua|avanca|pode ser",
    seen: "esta bem|de acordo|certo",
    no: "nao|pare|cancela|deixa|deixa estar|agora nao|ainda nao|melhor nao|nao facas",
    courtesy: "obrigado|obrigada|ola|bom dia|boa tarde|boa noite|adeus",
    beside: "por favor|porque nao|por que nao|sem problema",
    denied: "nunca|nada|nenhum|nenhuma|sem|espera|exceto",
    asks: "que|qual|quais|como|porque|quem|quando|onde|quanto|quantos",
    agrees: "perfeito|otimo|bom|boa|exato|confirmo|aceito|gosto|quero|vamos|parece",
  },
};

/** Makes a pattern of all languages' phrases of some kinds, the longest first. */
function listPhrases(...kinds: readonly (keyof AnswerWords)[]): string {
  const phrases = Object.values(WORDS).flatMap((words) => kinds.flatMap((kind) => words[kind]));
  const each = phrases.flatMap((some) => some.split("|"));
  return [...new Set(each)].toSorted((one, other) => other.length - one.length).join("|");
}

const BESIDE = listPhrases("courtesy", "beside");
const YES = toWhole(listPhrases("yes", "seen"));
const SEEN = toWhole(listPhrases("seen"));
const NO = toWhole(listPhrases("no", "seen"));
const REFUSED = new RegExp(`(?<!\\S)(?:${listPhrases("no")})(?!\\S)`, "u");
const DENIED = new RegExp(`(?<!\\S)(?:${listPhrases("no", "denied")})(?!\\S)`, "u");
const ASKS = new RegExp(`^(?:${listPhrases("asks")})(?!\\S)`, "u");

/** Makes a pattern of nothing but phrases, and those that may stand beside them. */
function toWhole(phrases: string): RegExp {
  return new RegExp(`^(?:(?:${phrases}|${BESIDE})(?: |$))+$`, "u");
}

/**
 * Reads a plain yes or no in the shipped languages, where a message is nothing else; null for all others.
 * Pure.
 *
 * @example
 * readYesNo("Yes, please!"); // "yes"
 * readYesNo("yes, but only the curry"); // null
 */
export function readYesNo(message: string): "yes" | "no" | null {
  const words = foldAnswer(message);
  const core = dropBeside(words);
  if (core === "") return null;
  // "Yes?" asks; "sure, why not?" does not.
  if (YES.test(words) && (!endsAsQuestion(message) || core !== words)) return "yes";
  // "Ok, forget it" has been seen, and is refused.
  return NO.test(words) && REFUSED.test(core) ? "no" : null;
}

/** Returns true where a plain yes may say no more than that the person has read: "ok". */
export function onlyAcknowledges(message: string): boolean {
  return SEEN.test(foldAnswer(message));
}

/**
 * Reads how a message may answer a question: as `readYesNo`; `asks` where it is nothing but a question of
 * its own; `doubtful` where a word of it denies, so that it may be no yes. Null for words that may be
 * anything. Pure.
 *
 * @example
 * readPersonsAnswer("which ones are those?"); // "asks"
 * readPersonsAnswer("no, do it"); // "doubtful"
 */
export function readPersonsAnswer(message: string): "yes" | "no" | "asks" | "doubtful" | null {
  const plain = readYesNo(message);
  if (plain !== null) return plain;
  const sentences = splitSentences(message).filter((part) => foldAnswer(part) !== "");
  const isQuestion = (part: string): boolean => endsAsQuestion(part) || ASKS.test(foldAnswer(part));
  if (sentences.length > 0 && sentences.every(isQuestion)) return "asks";
  return DENIED.test(dropBeside(foldAnswer(message))) ? "doubtful" : null;
}

/** Returns true where a word of a message says yes, or agrees otherwise. Pure. */
export function mayAgree(message: string): boolean {
  return AGREED.test(foldAnswer(message));
}

const AGREED = new RegExp(`(?<!\\S)(?:${listPhrases("yes", "seen", "agrees")})(?!\\S)`, "u");

/** Returns true for a message of nothing but thanks or greetings, and what says no more than "I see". Pure. */
export function isCourtesy(message: string): boolean {
  const words = foldAnswer(message);
  return POLITE.test(words) && COURTESY.test(words);
}

const COURTESY = toWhole(listPhrases("courtesy", "seen"));
const POLITE = new RegExp(`(?<!\\S)(?:${listPhrases("courtesy")})(?!\\S)`, "u");

/** Returns a message without the phrases that answer a question, or stand beside an answer, folded. Pure. */
export function dropAnswer(message: string): string {
  return foldAnswer(message).replaceAll(ANSWER_ANYWHERE, "");
}

const ANSWER_ANYWHERE = new RegExp(
  `(?<!\\S)(?:${listPhrases("yes", "seen", "no", "courtesy", "beside")})(?!\\S)`,
  "gu",
);
const BESIDE_ANYWHERE = new RegExp(`(?<!\\S)(?:${BESIDE})(?!\\S)`, "gu");

function dropBeside(words: string): string {
  return words.replaceAll(BESIDE_ANYWHERE, "").replaceAll(/ +/gu, " ").trim();
}

/** Returns the words of a text as `foldText` does, those with an apostrophe as one, "ß" as "ss". */
export function foldAnswer(text: string): string {
  return foldText(text.replaceAll(/['’]/gu, "").replaceAll("ß", "ss")).trim();
}
