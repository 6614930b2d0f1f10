import { foldWords } from "./fold-words.ts";

/** Phrases of a language, each without marks and accents. */
interface AnswerWords {
  /** Answers that are a yes by themselves. */
  readonly yes: string;
  /** Those of them that also say no more than "I see". */
  readonly seen: string;
  readonly no: string;
  /** Thanks and greetings. */
  readonly courtesy: string;
  /** Phrases that end a conversation: beside a yes they say more than it. */
  readonly parting: string;
  /** Other phrases that stand beside an answer and change nothing about it. */
  readonly beside: string;
  /** Words that deny, or put off, wherever they stand. */
  readonly denied: string;
  /** Words that a question begins with. */
  readonly asks: string;
  /** Words that agree by themselves, in a message that may be a yes. */
  readonly agrees: string;
  /** Words that stand around those that agree, and mean nothing of their own there. */
  readonly around: string;
  /** Words by which less, or something else, is agreed to. */
  readonly limits: string;
  /** Words by which something else is agreed to in place of what was asked. */
  readonly instead: string;
  /** Words that leave something as it is, before its name. */
  readonly spares: string;
  /** Two to ten, in their order. */
  readonly numbers: string;
}

/** The words of answers in English and in the languages that sentences are shipped in. */
const ANSWER_WORDS: Readonly<Record<string, AnswerWords>> = {
  en: {
    yes: "yes|y|yep|yeah|yup|yea|yess|go on|go ahead|go right ahead|go for it|proceed|sure thing|continue|do|do it|do that|make it so|make it happen|of course|definitely|absolutely",
    seen: "ok|okay|sure|fine|right|all right",
    no: "no|n|nope|nah|not|stop|dont|do not|dont do it|dont do that|cancel|not now|not yet|never mind|better not|rather not|leave it|leave them|leave it as it is|keep it|keep them|forget it|abort",
    courtesy:
      "thanks|thank you|thanks a lot|many thanks|thank you very much|thank you so much|thanks so much|thanks again|thank you again|much appreciated|cheers|ta|hello|hi|hey|good morning|good afternoon|good evening|good night|bye|bye bye|goodbye",
    parting:
      "thank you for your help|thanks for your help|see you|see you later|see you soon|see you then|see you tomorrow|see you around|take care|have a nice day|have a good day|have a nice evening",
    beside:
      "please|pls|plz|now|then|why not|no problem|no worries|oh|ooh|well|hm|hmm|mhm|wow|haha|yay|and|so",
    denied:
      "not|never|none|nothing|neither|without|wait|except|unless|cannot|but|isnt|arent|wasnt|werent|doesnt|didnt|wont|cant|shouldnt|wouldnt|couldnt",
    asks: "what|which|how|why|who|when|where|is|are|was|were|does|did",
    agrees:
      "great|good|perfect|excellent|lovely|love|nice|brilliant|super|cool|exactly|correct|agreed|agree|works|happy|wonderful|fantastic|awesome|amazing|glad|delicious|yummy|approve|approved|confirm|confirmed|accept|affirmative|by all means",
    around:
      "oh|ooh|well|hm|hmm|mhm|wow|haha|yay|god|man|and|so|sounds|looks|seems|like|want|lets|we|would|id|ill|im|its|thats|that|this|these|those|it|them|really|very|totally|honestly|way|one|all|of|plan|idea|choice|week|me|to|for|by|with|go|get|be|can|just|away|too|much|finally|is|are|pls|plz|no worries",
    limits:
      "but|only|except|unless|first|wait|hold on|before|until|if|other than|minus|yes to|no to|not sure|not so sure|im good|yeah right|would be a mistake|over my dead body|do not want|dont want|easy there|oops|whoa|later|maybe|perhaps|possibly|hang on|let me|think about|skip|whatever",
    instead: "instead|rather",
    spares: "keep|leave",
    numbers: "two|three|four|five|six|seven|eight|nine|ten",
  },
  de: {
    yes: "ja|jawohl|jo|klar|gerne|gern|mach das|mach es|tu das|tu es|weiter|mach weiter|einverstanden|unbedingt",
    seen: "gut|in ordnung|alles klar",
    no: "nein|ne|no|stopp|halt|abbrechen|nicht|lieber nicht|besser nicht|jetzt nicht|noch nicht|auf keinen fall|lass es|lass das|lass sie|mach das nicht|tu das nicht|quatsch|untersteh dich",
    courtesy:
      "danke|vielen dank|danke schon|hallo|guten morgen|guten tag|guten abend|gute nacht|tschuss",
    parting:
      "tschau|auf wiedersehen|bis dann|bis bald|bis spater|bis morgen|schonen tag|schonen tag noch|schonen abend",
    beside: "bitte|doch|warum nicht|kein problem|und|ach",
    denied: "kein|keine|keinen|nie|niemals|nichts|ohne|warte|ausser|aber",
    asks: "was|welche|welcher|welches|wie|warum|wieso|wer|wann|wo",
    agrees:
      "super|toll|perfekt|prima|passt|genau|richtig|stimmt|bestatige|wunderbar|gefallt|freue|lecker",
    around: "ach|oh|und|so|damit|klingt|sehr|wirklich|alles|das|mochte|will|es|die|ruhig|mir|weg",
    limits: "aber|nur|ausser|erst|zuerst|bevor|warte|wenn|falls|spater|vielleicht|moment|mal sehen",
    instead: "stattdessen|statt|lieber",
    spares: "behalte|lass",
    numbers: "zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn",
  },
  es: {
    yes: "si|claro|claro que si|hazlo|adelante|por supuesto|continua",
    seen: "vale|de acuerdo|bien",
    no: "no|cancela|dejalo|dejalos|dejalas|ahora no|todavia no|mejor no|no lo hagas|olvidalo|dejemoslo|ni hablar",
    courtesy: "gracias|muchas gracias|hola|buenos dias|buenas tardes|buenas noches|adios",
    parting: "hasta luego|hasta pronto|hasta manana|nos vemos",
    beside: "por favor|por que no|sin problema",
    denied: "nunca|nada|ningun|ninguna|sin|espera|excepto|pero",
    asks: "que|cual|cuales|como|quien|cuando|donde|cuanto|cuantos",
    agrees:
      "bueno|buena|perfecto|genial|excelente|exacto|exactamente|correcto|confirmo|acepto|encanta|rico|dale",
    around: "y|todo|me|muy|suena|que|lo|las|los|asi",
    limits: "pero|solo|excepto|menos|primero|espera|antes|luego|despues|quizas|quiza|tal vez",
    instead: "en vez|mas bien",
    spares: "deja|guarda",
    numbers: "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez",
  },
  fr: {
    yes: "oui|ouais|bien sur|vas y|allez y|fais le|faites le|continue",
    seen: "daccord|bien|tres bien",
    no: "non|arrete|annule|laisse|laisse tomber|pas maintenant|pas encore|surtout pas|ne le fais pas|tant pis",
    courtesy: "merci|merci beaucoup|bonjour|bonsoir|salut|bonne nuit|au revoir",
    parting: "a bientot|a demain|a plus tard|bonne journee|bonne soiree",
    beside: "sil te plait|sil vous plait|pourquoi pas|pas de probleme",
    denied: "ne|pas|jamais|rien|aucun|aucune|sans|attends|sauf|mais",
    asks: "quoi|quel|quelle|quels|quelles|comment|pourquoi|qui|quand|combien|lesquels|lesquelles",
    agrees: "parfait|super|genial|excellent|exactement|exact|confirme|accepte|aime|plait|cest ca",
    around: "et|tout|cest|ca|tres|bien|le|la|les|moi|me",
    limits: "mais|seulement|sauf|dabord|attends|avant|plus tard|peut etre|un instant",
    instead: "plutot",
    spares: "garde|laisse",
    numbers: "deux|trois|quatre|cinq|six|sept|huit|neuf|dix",
  },
  it: {
    yes: "si|certo|fallo|procedi|vai|continua|avanti",
    seen: "va bene|daccordo|bene",
    no: "no|ferma|fermati|annulla|lascia|lascia stare|lascia perdere|non ora|non ancora|meglio di no|non farlo|lasciamo perdere|macche",
    courtesy: "grazie|grazie mille|ciao|buongiorno|buonasera|buonanotte|arrivederci",
    parting: "a presto|a dopo|a domani|buona giornata",
    beside: "per favore|perche no|nessun problema",
    denied: "non|mai|niente|nessuno|nessuna|senza|aspetta|tranne",
    asks: "che|cosa|quale|quali|come|perche|chi|quando|dove|quanto|quanti",
    agrees: "perfetto|ottimo|bello|esatto|esattamente|giusto|confermo|accetto|piace",
    around: "e|tutto|cosi|mi|molto|pure|lo|le|li",
    limits: "solo|soltanto|tranne|aspetta|dopo|forse|piu tardi",
    instead: "invece|piuttosto",
    spares: "tieni|lascia",
    numbers: "due|tre|quattro|cinque|sei|sette|otto|nove|dieci",
  },
  nl: {
    yes: "ja|ja hoor|jawel|zeker|akkoord|doe maar|doe het|doe het maar|ga door|ga verder|graag",
    seen: "oke|goed|prima",
    no: "nee|annuleer|laat maar|niet nu|nog niet|liever niet|niet doen|doe het niet",
    courtesy: "dank je|dank je wel|bedankt|hallo|hoi|goedemorgen|goedenavond|doei",
    parting: "tot ziens|tot straks|tot morgen|fijne dag",
    beside: "alsjeblieft|alstublieft|waarom niet|geen probleem",
    denied: "niet|geen|nooit|niets|zonder|wacht|behalve|maar",
    asks: "wat|welke|hoe|waarom|wie|wanneer|waar|hoeveel",
    agrees: "perfect|mooi|top|precies|klopt|bevestig|leuk|heerlijk|lekker",
    around: "en|zo|hoor|klinkt|heel|helemaal|maar|het|ze|dat",
    limits: "alleen|behalve|eerst|wacht|later|misschien",
    instead: "liever",
    spares: "houd|laat",
    numbers: "twee|drie|vier|vijf|zes|zeven|acht|negen|tien",
  },
  pt: {
    yes: "sim|claro|claro que sim|faz|faca|faz isso|continua|avanca|pode ser",
    seen: "esta bem|de acordo|certo",
    no: "nao|pare|cancela|deixa|deixa estar|agora nao|ainda nao|melhor nao|nao facas|esquece",
    courtesy: "obrigado|obrigada|ola|bom dia|boa tarde|boa noite|adeus",
    parting: "tchau|ate logo|ate amanha|ate breve",
    beside: "por favor|porque nao|por que nao|sem problema",
    denied: "nunca|nada|nenhum|nenhuma|sem|espera|exceto",
    asks: "que|qual|quais|como|porque|quem|quando|onde|quanto|quantos",
    agrees: "perfeito|otimo|bom|boa|exato|exatamente|isso mesmo|confirmo|aceito|gosto|adorei",
    around: "e|tudo|isso|me|muito|assim|mesmo|o|a|as|os",
    limits: "mas|so a|so o|apenas|exceto|menos|primeiro|espera|antes|depois|talvez|mais tarde",
    instead: "em vez",
    spares: "guarda|deixa",
    numbers: "dois|tres|quatro|cinco|seis|sete|oito|nove|dez",
  },
  // Answers in other languages that people may be spoken with: no model's reading of them counts for more.
  others: {
    yes: "да|конечно|はい|ええ|是|是的|好|好的|可以|네|예|evet|نعم|हाँ|हां|כן|tak|ano|igen|kyllä",
    seen: "tamam|olur|行|没问题",
    no: "нет|не надо|не нужно|いいえ|いや|やめて|だめ|不|不要|不用|算了|等一下|아니|아니요|아니오|hayır|لا|नहीं|לא|nej|nej tack|nei|nie|ne|nem|ei",
    courtesy:
      "спасибо|ありがとう|谢谢|감사합니다|teşekkürler|شكرا|धन्यवाद|תודה|tack|tak skal du have",
    parting: "",
    beside: "お願いします|lütfen|пожалуйста",
    denied: "",
    asks: "",
    agrees: "その通り|对|没错|맞아요|точно|именно|aynen|kesinlikle",
    around: "",
    limits: "",
    instead: "",
    spares: "",
    numbers: "",
  },
};

/** A kind of phrases. */
export type AnswerKind = keyof AnswerWords;

/** Makes a pattern of all languages' phrases of some kinds, the longest first. Pure. */
export function listPhrases(...kinds: readonly AnswerKind[]): string {
  const phrases = Object.values(ANSWER_WORDS).flatMap((words) =>
    kinds.flatMap((kind) => words[kind]),
  );
  // Folded as a message is: "hayır" is written "hayır" or "hayir".
  const each = phrases
    .flatMap((some) => some.split("|"))
    .map((phrase) => foldWords(phrase).join(" "))
    .filter((phrase) => phrase !== "");
  return [...new Set(each)].toSorted((one, other) => other.length - one.length).join("|");
}

/** Lists the words of all languages for numbers from two to ten. Pure. */
export function listNumberWords(numbers: readonly number[]): readonly string[] {
  return Object.values(ANSWER_WORDS).flatMap((words) => {
    const each = words.numbers.split("|");
    return numbers.flatMap((number) => each[number - 2] ?? []);
  });
}
