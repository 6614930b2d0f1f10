import { promptsOf, replyOf, viableOf } from "../facts.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import { namesIn, textsOf, unless } from "./words.ts";

/** Excluding dishes, and bringing one back. */
export const NARROWING: readonly Then[] = [
  {
    scenario: "narrowing",
    turn: 1,
    text: "the three dishes with cod are excluded because of their facts in the registry table, one of them has no cod in its name",
    problems: ({ turn }) => {
      const excluded = turn.state.registry.entries.filter(({ ref }) => WITH_COD.includes(ref));
      const [prompt = ""] = promptsOf(turn, "understand");
      const shown = excluded.filter(({ ref }) =>
        prompt
          .split("\n")
          .some((line) => namesIn(line, [ref]).length > 0 && /\bcod\b/iu.test(line)),
      );
      return [
        ...unless(
          excluded.length === 3 && excluded.every(({ demotion }) => demotion !== null),
          `not all of ${WITH_COD.join(", ")} are excluded`,
        ),
        ...unless(shown.length === 3, "Understand was not shown the cod of each of them"),
        ...unless(
          excluded.filter(({ label }) => !/\bcod\b/iu.test(label)).length === 1,
          "it is not one of them that has no cod in its name",
        ),
      ];
    },
  },
  {
    scenario: "narrowing",
    turn: 2,
    text: "the reply acknowledges the exclusion, names exactly the four remaining dishes and offers a next step",
    problems: ({ turn }) => {
      const reply = replyOf(turn);
      const remaining = labelsOf(turn, viableOf(turn, ["recipe_3"]));
      const others = textsOf(turn.after["recipes"] ?? [], "name").filter(
        (name) => !remaining.includes(name),
      );
      const named = namesIn(reply, remaining);
      const offered = reply
        .split(/\n|(?<=[.!?])\s/u)
        .filter((sentence) => !EXCLUDING.test(sentence))
        .flatMap((sentence) => namesIn(sentence, others));
      return [
        ...unless(EXCLUDING.test(reply), "the reply says nothing of the exclusion"),
        ...unless(
          remaining.length === 4 && named.length === 4,
          `the reply names ${named.join(", ") || "none"} of ${remaining.join(", ")}`,
        ),
        ...unless(offered.length === 0, `the reply offers ${offered.join(", ")}`),
        ...unless(NEXT_STEP.test(reply), "the reply offers no next step"),
      ];
    },
  },
  {
    scenario: "bring-back",
    turn: 2,
    text: "recipe_6 is viable again",
    problems: ({ turn }) =>
      unless(viableOf(turn, ["recipe_6"]).includes("recipe_6"), "recipe_6 is not viable"),
  },
];

const WITH_COD = ["recipe_1", "recipe_2", "recipe_7"];
const EXCLUDING =
  /\b(?:no|not|without|out|off|skip\w*|exclud\w*|drop\w*|remov\w*|aside|left|leav\w*|instead|minus|gone|ruled|cross\w*)\b/iu;
const NEXT_STEP = /\?|\b(?:let me know|tell me|say|next|i can|just ask)\b/iu;

function labelsOf({ state }: PlayedTurn, refs: readonly string[]): readonly string[] {
  return state.registry.entries.filter(({ ref }) => refs.includes(ref)).map(({ label }) => label);
}
