import { speaksOfStep } from "../advice/step-needs.ts";
import { namesDays } from "../language/calendar.ts";
import { isUndo } from "../language/read-changes.ts";
import { meansIngredients } from "../language/read-plans.ts";
import { partIn, partNamed } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import { joinWords } from "../language/words.ts";
import { worldThings } from "../language/world-things.ts";
import { countOf, part, partOfRef, type Situation } from "./situation.ts";
import { deletedLast } from "./stored.ts";
import { bySubdomain, nameIn, sameWords, say, step, words, work, type Work } from "./work.ts";

/** Adds what the message names. */
export function addWork(wish: Extract<Wish, { readonly kind: "add" }>, situation: Situation): Work {
  const subdomain = partNamed(wish.part, situation.vocabulary);
  if (speaksOfStep(wish.phrase) && situation.activePlan === "") {
    return say("I do not see a plan with such a step. Tell me what shall be added.");
  }
  const spite = situation.answersPending === "accept" ? " all the same" : "";
  return work(
    `Add what was asked to ${words(subdomain)}`,
    step("write", subdomain, { description: `Add to ${subdomain ?? ""}: ${wish.phrase}${spite}` }),
  );
}

/** Removes what is pointed at, or what has to be looked for by its name. */
export function removeWork(
  wish: Extract<Wish, { readonly kind: "remove" }>,
  situation: Situation,
): Work {
  const { references } = situation;
  if (references.length > 0) {
    const names = joinWords(references.map(({ label }) => label));
    return work(
      `Remove ${names}`,
      bySubdomain(references, situation).flatMap(([subdomain, group]) =>
        step("write", subdomain, {
          description: `Delete ${joinWords(group.map(({ label }) => label))}`,
          refs: group.map(({ ref }) => ref),
        }),
      ),
    );
  }
  if (isUndo(wish.phrase)) return say(`I cannot undo that: ${whyNoUndo(situation)}`);
  const { world } = situation.vocabulary;
  const schedule = part(situation, "schedule");
  if (namesDays(wish.phrase) && (wish.part ?? schedule) === schedule) {
    const description = `Delete from ${schedule}: ${wish.phrase}`;
    return work("Remove what is planned there", step("write", schedule, { description }));
  }
  const name = nameIn(wish.phrase, situation.vocabulary);
  const points = /\b(?:it|that|those|them|these|this|undo|ones?|everything|all)\b/.test(
    wish.phrase,
  );
  if (points || name === "")
    return { steps: [], goal: "Ask what is meant", question: "What shall I remove?" };
  const subdomain = partNamed(wish.part ?? world.parts.stock, situation.vocabulary);
  return work(
    `Remove ${name}`,
    step("write", subdomain, { description: `Delete from ${subdomain ?? ""}: ${name}` }),
  );
}

/** Says that nothing is done; what the last turn deleted is not there any more all the same. */
export function leaveWork(sentence: string, situation: Situation): Work {
  const deleted = deletedLast(situation);
  return say(
    deleted === null
      ? sentence
      : `${deleted} deleted already and I cannot bring that back by myself: name what you want, and I add it again`,
  );
}

function whyNoUndo(situation: Situation): string {
  const deleted = deletedLast(situation);
  return deleted === null
    ? "the last turns added nothing that I could take away again"
    : `${deleted} deleted, and I can only add again what you name`;
}

/** What is empty already needs no deletion. */
export function clearWork(
  wish: Extract<Wish, { readonly kind: "clear" }>,
  situation: Situation,
): Work {
  const { vocabulary, snapshot } = situation;
  const parts = wish.parts.flatMap((name) => partNamed(name, vocabulary) ?? []);
  const empty = parts.filter((name) => countOf(name, snapshot, vocabulary)?.count === 0);
  const full = parts.filter((name) => !empty.includes(name));
  if (parts.length > 0 && full.length === 0) {
    return say(
      `there is nothing on it: ${joinWords(empty.map(words))} ${empty.length === 1 ? "is" : "are"} empty already`,
    );
  }
  return work(
    `Clear ${joinWords(full.map(words))}`,
    full.flatMap((name) => step("write", name, { description: `Delete everything in ${name}` })),
  );
}

/** Marks something as done. */
export function finishWork(
  wish: Extract<Wish, { readonly kind: "finish" }>,
  situation: Situation,
): Work {
  const { references, vocabulary } = situation;
  const [first] = references;
  const refs = references.map(({ ref }) => ref);
  const subdomain =
    first === undefined ? partNamed(wish.part, vocabulary) : partOfRef(first.ref, situation);
  const name =
    first === undefined
      ? nameIn(wish.phrase, situation.vocabulary)
      : joinWords(references.map(({ label }) => label));
  return work(
    `Mark ${name} as done`,
    step("write", subdomain, { description: `Mark as done: ${name}`, refs }),
  );
}

/** Gets together what is needed. */
export function collectWork(wish: Wish, situation: Situation): Work {
  const wanted = part(situation, "wanted");
  const refs = situation.references.map(({ ref }) => ref);
  const named = situation.references.map(({ label }) => label);
  const unmet = refs.length > 0 ? [] : worldThings(wish.phrase, situation.vocabulary);
  if (unmet.length > 0) {
    const description = `Build the list for: ${unmet.join(" ")}`;
    return work("Collect what is needed", step("write", wanted, { description }));
  }
  if (refs.length === 0 && meansIngredients(wish.phrase)) {
    return { steps: [], goal: "Ask what is meant", question: "What for? Name the dish, please." };
  }
  const what = named.length > 0 ? joinWords(named) : wish.phrase;
  return work(
    `Collect what is needed`,
    step("write", wanted, { description: `Build the list: ${what}`, refs }),
  );
}

/** A rule is worth a place in the preferences, but nobody asked for that yet. */
export function ruleWork(
  wish: Extract<Wish, { readonly kind: "rule" }>,
  situation: Situation,
): Work {
  const { profile, vocabulary } = situation;
  const { allergen } = wish;
  const noted = allergen !== null && profile.allergies.some((one) => sameWords(one, allergen));
  if (noted) return say(`the allergy to ${allergen} is noted already`);
  const subdomain = partIn("preferences allergies diet", vocabulary);
  const list = allergen === null ? "diet" : "allergies";
  const what = allergen ?? wish.text;
  if (subdomain === null) return { steps: [], goal: "Take note of the wish" };
  return {
    goal: "Take note of the rule",
    steps: step("write", subdomain, { description: `Add ${what} to the ${list}` }),
    proposal: `I will keep to that (${wish.text}). Shall I also add ${what} to the ${list} in your preferences?`,
  };
}
