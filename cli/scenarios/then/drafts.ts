import { changesOf, replyOf } from "../facts.ts";
import type { JsonObject } from "../../../state/json.ts";
import type { RegistryEntry } from "../../../state/registry.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import { ingredientsOf, leftOutOf, textOf, unless } from "./words.ts";

const DRAFT = "gen_recipe_1";

/** A draft from its making to its saving. */
export const DRAFTS: readonly Then[] = [
  {
    scenario: "draft-lifecycle",
    turn: 0,
    text: "a draft gen_recipe_1 exists, shown in full, nothing is saved",
    problems: ({ turn }) => [...unsavedProblems(turn), ...shownProblems(turn)],
  },
  {
    scenario: "draft-lifecycle",
    turn: 3,
    text: "the full draft is shown from the registry",
    problems: ({ turn }) => [...unsavedProblems(turn), ...shownProblems(turn)],
  },
  {
    scenario: "draft-lifecycle",
    turn: 4,
    text: "the same ref, changed in place",
    problems: ({ turn, turns, index }) => {
      const before = contentOf(turns[index - 1]);
      const after = contentOf(turn);
      const kept = namesOf(after);
      const lost = namesOf(before).filter((name) => !kept.includes(name));
      const others = recipeDrafts(turn).filter(({ ref }) => ref !== DRAFT);
      return [
        ...unsavedProblems(turn),
        ...unless(kept.some(isFeta), `there is no feta in ${kept.join(", ")}`),
        ...unless(lost.length === 0, `it lost ${lost.join(", ")}`),
        ...unless(
          others.length === 0,
          `there is another draft: ${others.map(({ ref }) => ref).join(", ")}`,
        ),
      ];
    },
  },
  {
    scenario: "draft-lifecycle",
    turn: 5,
    text: "saved once, with its ingredients and the feta, under the same ref",
    problems: ({ turn, turns, index }) => [
      ...savedProblems(turn, contentOf(turns[index - 1])),
      ...unless(
        namesOf(changesOf(turn)["recipes"]?.created[0]?.values ?? {}).some(isFeta),
        "the feta was not saved",
      ),
    ],
  },
  {
    scenario: "draft-lifecycle",
    turn: 6,
    text: "says that it is saved already",
    problems: ({ turn }) =>
      unless(/\balready\b/iu.test(replyOf(turn)), `the reply does not say so: ${replyOf(turn)}`),
  },
  {
    scenario: "back-to-an-older-topic",
    turn: 4,
    text: "the draft of turn 1 is found and saved whole",
    problems: ({ turn, turns }) => savedProblems(turn, contentOf(turns[0])),
  },
];

function entryOf(turn: PlayedTurn | undefined): RegistryEntry | undefined {
  return turn?.state.registry.entries.find(({ ref }) => ref === DRAFT);
}

function contentOf(turn: PlayedTurn | undefined): JsonObject {
  return entryOf(turn)?.row ?? {};
}

function namesOf(recipe: JsonObject): readonly string[] {
  return ingredientsOf(recipe).map(({ name }) => name);
}

function isFeta(name: string): boolean {
  return /\bfeta\b/iu.test(name);
}

function recipeDrafts(turn: PlayedTurn): readonly RegistryEntry[] {
  return turn.state.registry.entries.filter(({ ref }) => ref.startsWith("gen_recipe_"));
}

function unsavedProblems(turn: PlayedTurn): readonly string[] {
  const entry = entryOf(turn);
  const saved = changesOf(turn)["recipes"]?.created ?? [];
  return [
    ...unless(entry !== undefined && entry.row !== null, `there is no draft "${DRAFT}"`),
    ...unless((entry?.id ?? null) === null && saved.length === 0, `"${DRAFT}" is saved`),
  ];
}

function shownProblems(turn: PlayedTurn): readonly string[] {
  const content = contentOf(turn);
  const missing = leftOutOf(replyOf(turn), content);
  return [
    ...unless(namesOf(content).length > 0, "the draft has no ingredients"),
    ...unless(textOf(content, "instructions") !== "", "the draft has no instructions"),
    ...unless(missing.length === 0, `the reply leaves out: ${missing.join("; ")}`),
  ];
}

/** One recipe was saved, with everything that the draft held, and the draft's ref is its ref. */
function savedProblems(turn: PlayedTurn, draft: JsonObject): readonly string[] {
  const [saved, ...more] = changesOf(turn)["recipes"]?.created ?? [];
  if (saved === undefined) return ["no recipe was saved"];
  const stored = namesOf(saved.values);
  const missing = namesOf(draft).filter((name) => !stored.includes(name));
  const refs = turn.state.registry.entries.filter(({ id }) => id === saved.id);
  return [
    ...unless(more.length === 0, `${more.length + 1} recipes were saved`),
    ...unless(namesOf(draft).length > 0, "there was no draft with ingredients before"),
    ...unless(missing.length === 0, `not saved: ${missing.join(", ")}`),
    ...["name", "instructions"].flatMap((column) =>
      unless(
        textOf(saved.values, column) === textOf(draft, column),
        `"${column}" was saved as "${textOf(saved.values, column)}"`,
      ),
    ),
    ...unless(
      refs.length === 1 && refs[0]?.ref === DRAFT,
      `it is known as ${refs.map(({ ref }) => ref).join(", ") || "nothing"}`,
    ),
  ];
}
