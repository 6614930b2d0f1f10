import type { ApiKey } from "../../storage/users/api-keys.ts";
import { plainText } from "../chat/plain-text.ts";

const HEADINGS = ["id", "user", "label", "created", "last used", "valid"] as const;

/** Renders keys as a table, one per line. Pure. */
export function renderKeys(keys: readonly ApiKey[], now: Date): string {
  if (keys.length === 0) return "There are no keys.\n";
  const rows = [
    [...HEADINGS],
    ...keys.map((key) => [
      key.keyId,
      plainText(key.userId),
      key.label === "" ? "-" : key.label,
      day(key.createdAt),
      key.lastUsedAt === null ? "never" : day(key.lastUsedAt),
      describeValidity(key, now),
    ]),
  ];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

function describeValidity({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`;
  if (expiresAt === null) return "until revoked";
  return Date.parse(expiresAt) <= now.getTime()
    ? `expired ${day(expiresAt)}`
    : `until ${day(expiresAt)}`;
}

function day(time: string): string {
  return time.slice(0, 10);
}
