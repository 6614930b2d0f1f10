import { NO_CURATION, type Curation } from "../../../state/registry.ts";
import { PATTERNS } from "../language/patterns.ts";
import { mentionsIn, thingsOf } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import { joinWords } from "../language/words.ts";
import type { Thing } from "../prompt/read-entities.ts";
import { exclusionOf, welcomedIn } from "./exclusions.ts";
import type { Memory } from "./memory.ts";
import { numberedReferences } from "./ordinals.ts";
import { draftInFocus, draftsIn, type Pointable } from "./pointable.ts";

/** A decision about a thing. */
interface Decided {
  readonly thing: Thing;
  readonly reason: string;
}

/** What a message takes out, brings back or forgets. */
export function curationOf(memory: Memory): Curation {
  if (PATTERNS.forgetAll.test(memory.request.plain)) {
    return { ...NO_CURATION, clearAll: true, summary: "Forgot everything" };
  }
  const demote = once(demotedBy(memory));
  const restore = once(restoredBy(memory));
  const drop = [...new Set(droppedBy(memory))];
  const decided = [
    ...(demote.length === 0 ? [] : [`Demoted ${namesOf(demote)}`]),
    ...(restore.length === 0 ? [] : [`Restored ${namesOf(restore)}`]),
    ...(drop.length === 0 ? [] : [`Dropped ${drop.join(", ")}`]),
  ];
  return {
    ...NO_CURATION,
    demote: demote.map(({ thing, reason }) => ({ ref: thing.ref, reason })),
    restore: restore.map(({ thing, reason }) => ({ ref: thing.ref, reason })),
    drop,
    summary: decided.length === 0 ? null : decided.join("; "),
  };
}

function once(decisions: readonly Decided[]): Decided[] {
  return [...new Map(decisions.map((decided) => [decided.thing.ref, decided])).values()];
}

function namesOf(decisions: readonly Decided[]): string {
  return joinWords(decisions.map(({ thing }) => `${thing.ref} (${thing.label})`));
}

function demotedBy({ request, vocabulary, known, pointable }: Memory): Decided[] {
  const options = thingsOf(vocabulary.world.parts.choices, known);
  return request.wishes
    .filter((wish) => wish.kind === "exclude" && !isAboutDraft(wish))
    .flatMap(({ phrase }) =>
      exclusionOf(phrase, options, vocabulary).demoted.concat(
        numberedOptions(phrase, options, pointable),
      ),
    );
}

/** "not the second one". */
function numberedOptions(
  phrase: string,
  options: readonly Thing[],
  { listed }: Pointable,
): Decided[] {
  const known = new Map(options.map((thing) => [thing.ref, thing]));
  const places = listed.filter((ref) => known.has(ref));
  return numberedReferences(phrase, places).flatMap(({ ref }) => {
    const thing = known.get(ref);
    return thing === undefined ? [] : [{ thing, reason: "not wanted" }];
  });
}

/** What was taken out and is named without being refused is wanted again. */
function restoredBy({ request, vocabulary, excluded }: Memory): Decided[] {
  return request.wishes
    .flatMap(({ kind, phrase }) => {
      if (kind === "welcome") return welcomedIn(phrase, excluded, vocabulary);
      if (kind !== "schedule" && kind !== "show" && kind !== "collect") return [];
      return mentionsIn(phrase, excluded, vocabulary.pale).map(({ thing }) => thing);
    })
    .map((thing) => ({ thing, reason: "welcome again" }));
}

function droppedBy({ request, pointable }: Memory): string[] {
  const another = request.wishes.some(({ kind }) => kind === "recount");
  return [
    ...(another ? draftsOfLastTurn(pointable) : []),
    ...request.wishes
      .filter((wish) => wish.kind === "exclude" && isAboutDraft(wish))
      .flatMap(({ phrase }) => droppedDrafts(phrase, pointable)),
  ];
}

/** Whether a wish speaks of a draft. */
export function isAboutDraft({ phrase }: Wish): boolean {
  return /\bdrafts?\b/.test(phrase);
}

/** "Forget that draft" means the one that is named, or the one that was spoken of. */
function droppedDrafts(phrase: string, pointable: Pointable): string[] {
  const named = mentionsIn(phrase, draftsIn(pointable.things), pointable.pale).map(
    ({ thing }) => thing.ref,
  );
  const focus = draftInFocus(pointable);
  return named.length > 0 || focus === null ? named : [focus.ref];
}

/** Drafts that another number of them takes the place of. */
function draftsOfLastTurn({ things, recent }: Pointable): string[] {
  const drafts = new Set(draftsIn(things).map(({ ref }) => ref));
  return (recent[0] ?? []).filter((ref) => drafts.has(ref));
}
