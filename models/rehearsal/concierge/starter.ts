import { renderIntentHandover } from "../../../signals/render.ts";
import type { EffectiveStance, IntentHandover } from "../../../state/handover.ts";
import type { Advice } from "../advice/advice.ts";
import { choiceOf, opinionsOn, subjectOf } from "../advice/consult.ts";
import type { Instance } from "./instance.ts";
import { personLimits } from "./person-limits.ts";
import { type Brief, readBrief } from "./read-notes.ts";
import { isUnderstood, limitsOf, plainly, revealsOf, unquoted, wishOf } from "./read-person.ts";
import {
  asSentence,
  contentStems,
  inline,
  lowered,
  mirrored,
  sentencesOf,
  sharedStems,
  shortened,
} from "./sayings.ts";

/** Answers a question from its brief, and hands over when it is asked to. */
export function speakAsStarter(instance: Instance, advice: Advice): string {
  const brief = readBrief(instance.first("What You Know"));
  if (instance.exchanges.length === 0) return opening(instance, { brief, advice });
  const answer = reply(instance, brief);
  return instance.wrapper.includes("<<<HANDOVER>>>")
    ? `${answer}\n\n${renderIntentHandover(handoverOf(instance, brief))}`
    : answer;
}

interface Known {
  readonly brief: Brief;
  readonly advice: Advice;
}

const NOT_UNDERSTOOD =
  "I did not understand that. Tell me in a sentence what you would like advice on.";

const NOT_TOLD = "I have heard you. What am I to do with it?";

/** How the answer opens, by the voice it is to have. */
const OPENERS: readonly (readonly [RegExp, string])[] = [
  [/\bdecided\b/i, "My advice is short."],
  [/\bcurious\b/i, "There is more than one way to look at this."],
  [/\bfrank\b/i, "Frankly, this deserves a harder look."],
  [/\bclear\b/i, "Here is what I would do."],
];

/** How the first point is put, by what the answer is to be for. */
const FRAMES: readonly (readonly [RegExp, string])[] = [
  [/\bwants a decision\b/, "My choice: "],
  [/\bstill finding out\b/, "One way to see it: "],
  [/\bthinking tested\b/, "Hold it against this: "],
];

function opening(instance: Instance, { brief, advice }: Known): string {
  const { first, message, preamble, wrapper } = instance;
  const asked = unquoted(message);
  if (!isUnderstood(asked)) return NOT_UNDERSTOOD;
  if (!/\banswer the query\b/i.test(wrapper)) return NOT_TOLD;
  const frame = FRAMES.find(([framing]) => framing.test(preamble))?.[1] ?? "";
  const opener = OPENERS.find(([voice]) => voice.test(first("Voice")))?.[1] ?? "";
  const source = first("Never") === "" ? "According to the experts: " : "";
  const points = brief.core.length > 0 ? brief.core : opinionsOn(asked, { view: "craft", advice });
  const [lead = "", ...others] = points;
  const more = others.filter(
    (point) => !brief.tensions.some((each) => each.includes(inline(point))),
  );
  const unchecked = brief.core.length > 0 ? "" : "This is general knowledge, not more.";
  const guided = first("Response Guide") !== "";
  return paragraphs([
    [...heard(instance), opener, asSentence(`${source}${frame}${lead}`)].filter(Boolean).join(" "),
    guided ? more.slice(0, 2).map(asSentence).join(" ") : "",
    guided ? tensionLine(brief) : "",
    unchecked,
    personLimits(instance, asked),
    questionOf(brief),
  ]);
}

/** What was done meanwhile and what was left unanswered is taken up first. */
export function heard({ meanwhile, unheard }: Instance): string[] {
  const [done] = meanwhile;
  return [
    ...(done === undefined ? [] : [`Since we last spoke: ${lowered(inline(done))}.`]),
    ...(unheard.length === 0
      ? []
      : [`You also said: “${unheard.map((text) => shortened(inline(text), 80)).join("”, “")}”.`]),
  ];
}

function tensionLine({ tensions }: Brief): string {
  const [tension] = tensions;
  return tension === undefined ? "" : `Two things pull against each other: ${inline(tension)}.`;
}

function questionOf({ question, gaps }: Brief): string {
  if (question !== "") return asQuestion(question);
  const [gap] = gaps;
  return gap === undefined
    ? "What would a good outcome look like for you?"
    : `What can you tell me about this: ${lowered(inline(gap))}?`;
}

function asQuestion(text: string): string {
  // The tension has been named already: "the two" stands for it.
  const said = inline(text.replace(/\b(between|of) “[^”]+” and “[^”]+”/, "$1 the two"));
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}?`;
}

/** Lines that say something, a blank line between them. */
export function paragraphs(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n\n");
}

function reply(instance: Instance, brief: Brief): string {
  const said = unquoted(instance.message);
  if (!isUnderstood(said)) {
    return paragraphs([
      heard(instance).join(" "),
      `I did not catch what that means for you. ${questionOf(brief)}`,
    ]);
  }
  const limits = limitsOf(said).map(mirrored);
  const taken = limits.length > 0 ? limits.join("; ") : mirrored(said);
  const fitting = fittingOf(brief, said);
  const [gap] = brief.gaps;
  return paragraphs([
    [...heard(instance), `That helps. I keep in mind: ${shortened(lowered(taken), 240)}.`].join(
      " ",
    ),
    fitting === "" ? "" : `With that, I would begin here: ${lowered(inline(fitting))}.`,
    gap === undefined
      ? "What would you give up last?"
      : `What can you tell me about this: ${lowered(inline(gap))}?`,
  ]);
}

/** The point that has most to do with what was said; else the first. */
function fittingOf({ core }: Brief, said: string): string {
  const stems = contentStems(said);
  const ranked = core.toSorted(
    (a, b) => sharedStems(contentStems(b), stems) - sharedStems(contentStems(a), stems),
  );
  return ranked[0] ?? "";
}

function handoverOf(instance: Instance, brief: Brief): IntentHandover {
  const { first, wrapper, exchanges, message } = instance;
  const query = unfencedQuery(first("The Query"));
  const said = unquoted(message);
  const earlier = exchanges.slice(1).map(({ person }) => person);
  const all = [...earlier, said].join(". ");
  const own = revealsOf(all);
  const resisted = own.filter((clause) => RESISTS.test(clause));
  const accepted = fittingOf(brief, said);
  return {
    shape: /^shape: ([a-z]+)$/m.exec(wrapper)?.[1]?.replace(/^null$/, "") ?? "",
    keyFindings: brief.core.slice(0, 4).map(inline),
    tensions: brief.tensions.slice(0, 3).map(inline),
    gaps: brief.gaps.slice(0, 3),
    userQuery: inline(query),
    starterResponse: starterResponse(exchanges[0]?.concierge ?? ""),
    userReply: inline(message),
    impliedGoal: goalOf(query, all),
    revealedConstraints: [...new Set([...limitsOf(query), ...limitsOf(all)])].slice(0, 12),
    acceptedFraming: agrees(said)
      ? `Agreed to this: ${shortened(lowered(inline(accepted)), 120)}`
      : "Answered with the facts of their own situation",
    resistedFraming: resisted.length === 0 ? null : resisted.join("; "),
    unpromptedReveals: own.slice(0, 4),
    stillUnclear: brief.gaps.length > 0 ? brief.gaps.slice(0, 2) : ["what weighs most"],
    effectiveStance: stanceOf(`${query}. ${all}`),
  };
}

function unfencedQuery(section: string): string {
  return unquoted(/<message>\n([\s\S]*?)\n?<\/message>/.exec(section)?.[1] ?? section);
}

function starterResponse(text: string): string {
  const [first = "", second = ""] = sentencesOf(text);
  return shortened(inline(first.length < 50 ? `${first} ${second}` : first), 200);
}

const RESISTS = /\b(?:not|never|no|nobody|hates?|dislikes?|but|can't|cannot|won't|don't)\b/i;

function agrees(text: string): boolean {
  return /^(?:yes|yeah|right|true|good|great|sounds good|that is true|exactly|i agree|makes sense)\b/.test(
    plainly(text),
  );
}

/** What a person wants beneath the question: what they say they want, for what they asked about. */
export function goalOf(query: string, said: string): string {
  const choice = choiceOf(query);
  const subject = subjectOf(query);
  const matter =
    choice === null
      ? subject === ""
        ? "Find out what would help"
        : /^you\b/i.test(subject)
          ? `Find what works for this: ${subject}`
          : subject
      : `Choose between ${choice.a} and ${choice.b}`;
  const wish = wishOf(said);
  const goal = wish === null ? matter : `${matter}, to ${mirrored(wish)}`;
  return shortened(`${goal.slice(0, 1).toUpperCase()}${goal.slice(1)}`, 200);
}

function stanceOf(text: string): EffectiveStance {
  const plain = plainly(text);
  if (
    /\b(?:stress test|challenge|what is wrong with|poke holes|criticis\w+|critique)\b/.test(plain)
  ) {
    return "challenge";
  }
  return /\b(?:should i|should we|which|decide|choose|or)\b/.test(plain) ? "decide" : "explore";
}
