import { randomBytes } from "node:crypto";

/** Letters and digits that are not taken for each other. */
const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz";

const LENGTH = 10;

/** A new thread's id: ten characters that can be read out and typed. */
export function newThreadId(): string {
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** Whether an id has the form of one that `newThreadId` makes. */
export function isThreadId(id: string): boolean {
  return id.length === LENGTH && [...id].every((character) => ALPHABET.includes(character));
}
