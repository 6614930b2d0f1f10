import { namesPlace, ordersOtherThan } from "../../output-filter/asked-change.ts";
import { readAskedParts } from "../../output-filter/read-asked-parts.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import type { Change } from "../../state/change.ts";
import { listSpokenWords } from "./doubtful-changes.ts";
import { selectMeant } from "./meant-references.ts";
import { selectUnrelated, type AskedFor } from "./related-rows.ts";
import { SpokenValues, type SetValue } from "./spoken-values.ts";
import { listSet } from "./unspoken-values.ts";

/**
 * Returns the updates and creations that a message does not ask for, as far as code can tell. It also asks for
 * an update by telling what is so, where it gives each value by itself: "the owner told me it's 300 now"; what
 * has happened asks for a state or the day of it: "the tent was returned on Friday". A message that only takes
 * something away makes no new row. Pure.
 */
export function selectUnasked(
  changes: readonly Change[],
  { message, ...asked }: AskedFor,
): readonly Change[] {
  const parts = readAskedParts(message, "there");
  const others = selectUnrelated(changes, { ...asked, message: parts.asked });
  // "Throw bread on the list" adds it.
  const takesAway = ordersOtherThan("there", message) && !namesPlace(message);
  const made = asked.ownTool === null && takesAway ? changes : [];
  const unrelated = [...new Set([...others, ...made.filter(({ action }) => action === "create")])];
  const updates = unrelated.filter(({ action }) => action === "update");
  if (updates.length === 0 || parts.happened === parts.asked) return unrelated;
  const stated = new Set(
    parts.stated === parts.asked
      ? []
      : selectStated(updates, { ...asked, message: parts.stated }, () => true),
  );
  const happened = new Set(
    parts.happened === parts.stated
      ? []
      : selectStated(updates, { ...asked, message: parts.happened }, (value) =>
          isPast(value, asked.today),
        ),
  );
  return unrelated.filter((change) => !stated.has(change) && !happened.has(change));
}

/** Returns the updates of rows that a message names, which gives each of their values, all of a kind that fits. */
function selectStated(
  updates: readonly Change[],
  asked: AskedFor,
  fits: (value: SetValue) => boolean,
): readonly Change[] {
  const unrelated = new Set(selectUnrelated(updates, asked));
  const meant = selectMeant(asked.understanding?.references ?? [], asked);
  const spoken = new SpokenValues(listSpokenWords(asked));
  return updates.filter((update) => {
    const isNamed =
      sharesWord(update.label, asked.message) || meant.some(({ ref }) => ref === update.ref);
    const type = asked.entityTypes.find((candidate) => candidate.type === update.type);
    const values = type === undefined ? [] : listSet(update, type);
    const isGiven =
      values.length > 0 && values.every((value) => fits(value) && spoken.gives(value));
    return isNamed && isGiven && !unrelated.has(update);
  });
}

/** Returns true for a state, and for a day that something may have happened on. */
function isPast({ column: { kind }, after }: SetValue, today: string): boolean {
  return (
    kind === "choice" ||
    kind === "boolean" ||
    (kind === "date" && typeof after === "string" && after <= today)
  );
}
