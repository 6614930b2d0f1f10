const LONGEST = 255;

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
