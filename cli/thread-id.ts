import { randomBytes } from "node:crypto";

/** Letters and digits that cannot be confused with each other. */
const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz";

const LENGTH = 10;

/** Returns a new thread id: ten characters that are easy to read out and type. */
export function newThreadId(): string {
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** Tests for the form of the ids that `newThreadId` makes. */
export function isThreadId(id: string): boolean {
  return id.length === LENGTH && [...id].every((character) => ALPHABET.includes(character));
}
