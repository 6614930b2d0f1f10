import type { Wish } from "../language/wish.ts";
import { joinWords } from "../language/words.ts";
import { countedTimes } from "../language/world-words.ts";
import { belongsTo } from "../prompt/read-entities.ts";
import { judging } from "./choose.ts";
import { part, partOfRef, type Situation } from "./situation.ts";
import { bySubdomain, nameIn, say, step, withArticle, work, type Work } from "./work.ts";

/** Makes something up, for as many as the message or the profile says. */
export function draftWork(
  wish: Extract<Wish, { readonly kind: "draft" }>,
  situation: Situation,
): Work {
  const size = wish.size ?? situation.profile.household;
  const forSize = size === null ? "" : ` for ${size}`;
  const what = wish.count === 1 ? withArticle(wish.what) : `${wish.count} different ${wish.what}`;
  const description = `Draft ${what}${forSize}`;
  return work(
    `Show a draft: ${wish.what}`,
    step("generate", part(situation, "made"), { description }),
  );
}

/** Changes a draft, or what is saved. */
export function changeWork(wish: Wish, situation: Situation): Work {
  const [first] = situation.references;
  if (first === undefined) return say("there is no draft to change");
  const isDraft = situation.things.get(first.ref)?.draft === true;
  return work(
    `Show ${first.label} (${first.ref}) as it is now`,
    step(isDraft ? "generate" : "write", partOfRef(first.ref, situation), {
      description: `Change ${first.label}: ${wish.phrase}`,
      refs: [first.ref],
    }),
  );
}

/** Drafts are saved; what the table of refs does not show as a draft is saved already. */
export function saveWork(wish: Wish, situation: Situation): Work {
  const { references, things } = situation;
  const drafts = references.filter(({ ref }) => things.get(ref)?.draft === true);
  if (drafts.length === 0) {
    const saved = references.filter(({ ref }) => things.has(ref));
    if (saved.length > 0) {
      const names = joinWords(saved.map(({ label }) => label));
      return say(`${names} ${saved.length === 1 ? "is" : "are"} saved already`);
    }
    return wish.kind === "yes"
      ? say("there is nothing that waits for a yes")
      : say("there is no draft to save");
  }
  return work(
    `Save ${joinWords(drafts.map(({ label }) => label))}`,
    bySubdomain(drafts, situation).flatMap(([subdomain, group]) =>
      step("write", subdomain, {
        description: `Save ${joinWords(group.map(({ label }) => label))}`,
        refs: group.map(({ ref }) => ref),
      }),
    ),
  );
}

/** Saves what an earlier step of the same plan makes; its refs come with that step's outcome. */
export function saveDraftedWork(drafts: Wish, situation: Situation): Work {
  const subdomain = part(situation, drafts.kind === "fill" ? "schedule" : "made");
  return work(
    "Save what was drafted",
    step("write", subdomain, { description: "Save what was drafted", group: LAST_GROUP }),
  );
}

/** After everything else that a plan of this model holds. */
const LAST_GROUP = 9;

/** What is not saved yet is saved first: a day can only point at what exists. */
export function scheduleWork(wish: Wish, situation: Situation): Work {
  const { references, things } = situation;
  const schedule = part(situation, "schedule");
  const drafts = references.filter(({ ref }) => things.get(ref)?.draft === true);
  const planned = drafts.filter(({ ref }) => belongsTo(ref, schedule));
  if (planned.length > 0) return saveWork(wish, situation);
  if (references.length === 0) {
    const name = nameIn(wish.phrase, situation.vocabulary);
    if (name === "" || /\b(?:it|that|them|those|first|second|third)\b/.test(name)) {
      return { steps: [], goal: "Ask what is meant", question: "What shall I put on the plan?" };
    }
    return work(
      `Put ${name} on the plan`,
      step("write", schedule, { description: `Put on the plan: ${wish.phrase}` }),
    );
  }
  const names = joinWords(references.map(({ label }) => label));
  const saving = drafts.flatMap(({ ref, label }) =>
    step("write", partOfRef(ref, situation), { description: `Save ${label}`, refs: [ref] }),
  );
  return work(`Put ${names} on the plan`, [
    ...saving,
    ...step("write", schedule, {
      description: `Put ${names} on the plan: ${wish.phrase}`,
      refs: references.map(({ ref }) => ref),
      group: saving.length > 0 ? 2 : 1,
    }),
  ]);
}

/** What stands on a day moves to another; what is only named is looked for first. */
export function moveWork(wish: Wish, situation: Situation): Work {
  const schedule = part(situation, "schedule");
  const planned = situation.references.filter(({ ref }) => belongsTo(ref, schedule));
  if (planned.length > 1) {
    const names = joinWords(planned.map(({ label }) => label));
    return { steps: [], goal: "Ask what is meant", question: `Which one shall I move: ${names}?` };
  }
  const refs = planned.map(({ ref }) => ref);
  return work(
    "Move what was planned",
    step("write", schedule, { description: `Move: ${wish.phrase}`, refs }),
  );
}

/** Options are read and judged only where none are left over from before. */
export function fillWork(
  fill: { readonly what: string; readonly count: number | null },
  situation: Situation,
): Work {
  const schedule = part(situation, "schedule");
  const { remaining, profile } = situation;
  const size = profile.household === null ? "" : ` for ${profile.household}`;
  const known = remaining !== null && remaining.length > 0;
  const before = known ? [] : judging(situation);
  const drafting = step("generate", schedule, {
    description: `Draft the days${size}: ${fill.what}`,
    group: known ? 1 : 3,
    refs: known ? remaining : [],
  });
  return work(
    "Show a draft of the days asked for",
    drafting.length === 0 ? [] : [...before, ...drafting],
  );
}

/** Another number: days and gaps stand in the wishes. */
export function recountWork(situation: Situation): Work {
  const { world } = situation.vocabulary;
  const counted = situation.wishes.find((text) => countedTimes(text, world) !== null);
  if (counted === undefined) return say("it is not clear what there is to be so many of");
  const gaps = situation.wishes.filter((text) => /^leave .* empty$/.test(text));
  return fillWork({ what: [counted, ...gaps].join(", "), count: null }, situation);
}
