/** The `code` of an error of the system or the driver (`ENOENT`, an SQLSTATE); empty where it has none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
