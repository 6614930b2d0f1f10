import type { PlanStep } from "../../../state/plan.ts";
import { partNamed } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import { joinWords } from "../language/words.ts";
import { part, partOfRef, type Situation } from "./situation.ts";
import { nameIn, say, step, words, work, type Work } from "./work.ts";

/** Shows what there is to choose from: what remains, else everything judged anew. */
export function optionsWork(situation: Situation): Work {
  const goal = "Show what there is to choose from";
  const { remaining } = situation;
  const choices = part(situation, "choices");
  if (remaining !== null && remaining.length > 0) {
    return work(
      goal,
      step("analyze", choices, { description: "See what remains to choose from", refs: remaining }),
    );
  }
  return work(goal, judging(situation));
}

/** Reads options and what is there side by side, then judges which of them are possible. */
export function judging(situation: Situation): PlanStep[] {
  const choices = part(situation, "choices");
  const stock = part(situation, "stock");
  return [
    ...step("read", choices, { description: `Read all ${words(choices)}` }),
    ...step("read", stock, { description: `Read all of the ${words(stock)}` }),
    ...step("analyze", choices, {
      description:
        stock === null
          ? `Judge which ${words(choices)} are possible`
          : `Judge which ${words(choices)} are possible with the ${words(stock)}`,
      group: 2,
    }),
  ];
}

/** What remains is told from the record; nothing is read again. */
export function narrowedWork(situation: Situation): Work {
  const { excluded, restored, remaining, request } = situation;
  const names = joinWords([...excluded, ...restored].map(({ label }) => label));
  if (remaining !== null && excluded.length + restored.length > 0) {
    const how = excluded.length > 0 ? "without" : "again with";
    return { steps: [], goal: `Show the options that remain ${how} ${names}` };
  }
  if (excluded.length + restored.length > 0) {
    const choices = part(situation, "choices");
    return work(`Show the options again (${names})`, [
      ...step("read", choices, { description: `Read all ${words(choices)}` }),
    ]);
  }
  if (request.wishes.some(({ kind }) => kind === "welcome"))
    return say("nothing like that was left out");
  return { steps: [], goal: "Take note of the wish" };
}

/** Shows what of the options fits in the time. */
export function narrowWork(
  wish: Extract<Wish, { readonly kind: "narrow" }>,
  situation: Situation,
): Work {
  const { remaining } = situation;
  const choices = part(situation, "choices");
  const limit = `at most ${wish.minutes} minutes`;
  if (remaining !== null && remaining.length > 0) {
    return work(
      `Show which options take ${limit}`,
      step("analyze", choices, { description: `Narrow what remains to ${limit}`, refs: remaining }),
    );
  }
  return work(
    `Show what takes ${limit}`,
    step("read", choices, { description: `Find ${words(choices)} that take ${limit}` }),
  );
}

/** Shows parts of the data. */
export function lookWork(
  wish: Extract<Wish, { readonly kind: "look" }>,
  situation: Situation,
): Work {
  const named = wish.parts.map((name) => partNamed(name, situation.vocabulary));
  return work(
    "Show what is there",
    named.flatMap((name) => step("read", name, { description: `Look at ${name}: ${wish.phrase}` })),
  );
}

/** Finds options by what they use or how long they take. */
export function searchWork(
  wish: Extract<Wish, { readonly kind: "search" }>,
  situation: Situation,
): Work {
  const choices = part(situation, "choices");
  const limits = [
    wish.tags.length === 0 ? "" : `are ${wish.tags.join(" and ")}`,
    wish.terms.length === 0 ? "" : `use ${wish.terms.join(" or ")}`,
    wish.minutes === null ? "" : `take at most ${wish.minutes} minutes`,
  ].filter((limit) => limit !== "");
  const description = `Find ${words(choices)} that ${limits.join(" and ")}`;
  return work(
    `Show ${words(choices)} that ${limits.join(" and ")}`,
    step("read", choices, { description }),
  );
}

/** Shows what is pointed at; drafts stand in the conversation, everything else is read. */
export function showWork(wish: Wish, situation: Situation): Work {
  const { references, things } = situation;
  const [first] = references;
  if (first === undefined) return lookForWork(wish.phrase, situation);
  const names = joinWords(references.map(({ ref, label }) => `${label} (${ref})`));
  const drafts = references.every(({ ref }) => things.get(ref)?.draft === true);
  if (drafts) return { steps: [], goal: `Show ${names} again` };
  const subdomain = partOfRef(first.ref, situation);
  return work(
    `Show ${names}`,
    step("read", subdomain, {
      description: `Read ${joinWords(references.map(({ label }) => label))} in full`,
      refs: references.map(({ ref }) => ref),
    }),
  );
}

/** Something is named that nobody has met yet: it is looked for by its name. */
function lookForWork(phrase: string, situation: Situation): Work {
  const choices = part(situation, "choices");
  const name = nameIn(phrase, situation.vocabulary);
  if (name === "") return say("it is not clear what is to be shown");
  return work(
    `Show ${name}`,
    step("read", choices, { description: `Find ${words(choices)} called ${name}` }),
  );
}
