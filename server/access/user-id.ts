const LONGEST = 255;

/** What `isUserId` wants, for a sentence that refuses something else. */
export const USER_ID_FORM = `1 to ${LONGEST} characters without control characters`;

/** Whether a value can be the name of a user: text that Postgres can hold, not empty, not endless. */
export function isUserId(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= LONGEST &&
    // oxlint-disable-next-line no-control-regex -- these are what is looked for.
    !/[\u0000-\u001f\u007f]/.test(value) &&
    value.isWellFormed()
  );
}
