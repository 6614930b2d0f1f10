import type { Segment } from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Wish } from "./wish.ts";
import { worldThings } from "./world-things.ts";

const CHANGES: ReadonlySet<Wish["kind"]> = new Set<Wish["kind"]>([
  "add",
  "clear",
  "collect",
  "finish",
  "move",
  "remove",
  "save",
  "schedule",
]);

const CHANGE_VERB =
  "delet|remov|clear|empt|wip|eras|purg|discard|toss|trash|throw|cancel|get rid|add|put|buy|mov|mark|undo|schedul|sav|tak";

const DENIED = new RegExp(
  `\\b(?:not|never) (?:(?:ever|even|really|just|yet|you|dare|please|want(?: you)? to|need to|have to|going to|dare to|like to|wish to|plan to|intend to) )*(?:${CHANGE_VERB})`,
);

/** Asks whether, says what might be or tells what was: nobody wants it done. */
const SUPPOSED =
  /^(?:and |but |or )?(?:(?:should|shall|must|may|might|am|was|were|had) i\b|(?:should|must|do|did|have|had|are|were) (?:i|we|you)\b|(?:is|was|has|would) (?:it|that|the|my)\b|how (?:do|can|could|would|should) (?:i|we|you)\b|(?:i|we) (?:may|might|was|were|had|thought|wonder|wondered|considered|am thinking|are thinking)\b|if (?:i|we|you) (?:were|had|would|\w+ed)\b)/;

const IMAGINED = new RegExp(
  `^(?:and |but )?(?:what (?:if|(?:would |will )?happens? (?:if|when))|suppos(?:e|ing)|imagine|assuming)\\b.*\\b(?:${CHANGE_VERB})`,
);

/** What would be if something were changed. */
export function readImagined({ text }: Segment): Wish | null {
  return IMAGINED.test(text) ? { kind: "suppose", phrase: text } : null;
}

/** A change that is denied, asked about or told of is none; whether to add something asks what is there. */
export function unlessOnlySaid(wish: Wish, segment: Segment, vocabulary: Vocabulary): Wish {
  const { text } = segment;
  if (!CHANGES.has(wish.kind)) return wish;
  const asked = SUPPOSED.test(text);
  if (!asked && !DENIED.test(text)) return wish;
  const [thing] = worldThings(text, vocabulary);
  const { stock } = vocabulary.world.parts;
  return asked && wish.kind === "add" && thing !== undefined && stock !== null
    ? { kind: "have", phrase: text, thing }
    : { kind: "suppose", phrase: text };
}
