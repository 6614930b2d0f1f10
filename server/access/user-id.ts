/** Not a setting: it matches the longest id that a token's issuer may use. */
const LONGEST = 255;

/** The form that `isUserId` requires, as part of a sentence that refuses another one. */
export const USER_ID_FORM = `1 to ${LONGEST} characters without control characters`;

/** Tests for a value that can be a user's id: text that Postgres can store, neither empty nor too long. */
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
