import {
  contentStems,
  inline,
  lowered,
  mirrored,
  rootOf,
  shortened,
} from "../concierge/sayings.ts";
import { COMMON_WORDS } from "../language/common-words.ts";
import { createSpeller, type Spell } from "../language/spelling.ts";
import type { Advice, AdviceStep, Opinion, Topic, View } from "./advice.ts";

/** Two ways that a question names. */
export interface Choice {
  readonly a: string;
  readonly b: string;
}

/** The topic that most of a text's words belong to; the general one where none does. */
export function topicOf(text: string, advice: Advice): Topic {
  const spell = spellerOf(advice);
  const roots = [...contentStems(text.toLowerCase().replace(/\p{L}+/gu, spell))];
  const counted = advice.topics.map((topic) => {
    const words = new Set(topic.words.map(rootOf));
    return { topic, count: roots.filter((root) => words.has(root)).length };
  });
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return counted.find(({ count }) => count === most && count > 0)?.topic ?? advice.general;
}

function spellerOf({ topics }: Advice): Spell {
  return createSpeller({
    likely: topics.flatMap(({ words }) => words).filter((word) => word.length > 4),
    common: COMMON_WORDS,
  });
}

const ASKING =
  /^(?:hi|hey|hello|please|so|ok|okay|well|um|and)[\s,]+|\b(?:can|could|would) you (?:please )?(?:tell|help|advise) me (?:with |on |about )?/gi;

const QUESTION =
  /^(?:what (?:should|can|could|shall|do|would) (?:i|we|you) do (?:about|with|against)|how (?:do|can|should|could|would) (?:i|we|you)|how to|should (?:i|we)|is it (?:better|worth|wise) (?:to|it to)|what is the best way to|what's the best way to|do you think (?:i|we) should|any (?:advice|tips|ideas) (?:on|for|about)|i (?:do not|don't|dont) know (?:how|whether|if) (?:to|i should)|help me(?: with| to)?)\s+/i;

/** What a question is about, as it can be said back to the person: "your noisy neighbours". */
export function subjectOf(question: string): string {
  const asked = inline(question.replace(ASKING, ""));
  const bare = asked.replace(QUESTION, "");
  if (bare !== asked) return shortened(mirrored(bare), 120);
  const before = asked.replace(
    /[\s,.;:]+(?:so )?(?:what|how|should|any)\b[^,.;]*\b(?:i|we|you|do|advice|ideas?|tips)\b[^,.;]*$/i,
    "",
  );
  return shortened(mirrored(before), 120);
}

/** The two ways of "should I X or Y", said back; null where a question names no two. */
export function choiceOf(question: string): Choice | null {
  const asked = inline(question).replace(ASKING, "");
  const found =
    /(?:\b(?:should|shall|do|would|can) (?:i|we|you)(?: rather)?|\bis it better to|\bbetter to|\bwhether to|\bchoose between|\bbetween)\s+(.{2,80}?)[,\s]+(?:or|versus|vs\.?)\s+(?:should (?:i|we) |rather |to |just |instead )?([^.?!,]{2,80})/i.exec(
      asked,
    );
  if (found === null) return null;
  const [, a = "", b = ""] = found;
  return { a: mirrored(a), b: mirrored(b) };
}

/** The opinions that a view holds on a question, most general first; never none. */
export function opinionsOn(
  question: string,
  { view, advice }: { readonly view: View; readonly advice: Advice },
): string[] {
  const topic = topicOf(question, advice);
  const choice = choiceOf(question);
  const subject = lowered(subjectOf(question));
  const held = (opinions: readonly Opinion[]): readonly Opinion[] =>
    opinions.filter(({ views }) => views.includes(view));
  const own = held(topic.opinions).slice(0, choice === null ? MOST : MOST - 2);
  return [...(choice === null ? [] : held(advice.choice)), ...own].map(({ text }) =>
    text
      .replaceAll("{subject}", () => (subject === "" ? "it" : subject))
      .replaceAll("{a}", () => choice?.a ?? "")
      .replaceAll("{b}", () => choice?.b ?? ""),
  );
}

const MOST = 5;

/** The step of a topic that a text names, by its title; null where it names none. */
export function stepNamed(text: string, advice: Advice): AdviceStep | null {
  const said = text.toLowerCase();
  const steps = [...advice.topics, advice.general].flatMap((topic) => topic.steps);
  return steps.find(({ title }) => said.includes(title.toLowerCase())) ?? null;
}
