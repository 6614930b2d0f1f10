import { randomBytes } from "node:crypto";

/** Letters and digits that are not taken for each other. */
const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz";

/** A new thread's id: ten characters that can be read out and typed. */
export function newThreadId(): string {
  return [...randomBytes(10)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
