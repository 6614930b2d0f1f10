import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Understanding } from "../../state/understanding.ts";

/** Words of the person, and the refs that they mean. */
export interface WrittenWords {
  readonly message: string;
  readonly references: Understanding["references"];
}

/** Shortest label that counts as named by standing in a text: a shorter one stands in nearly every text. */
const SHORTEST = 3;

/**
 * Returns true where the person has named the row of a change: by a reference whose words stand in
 * the message, or by its label. What a model put into a plan or a call does not count. Pure.
 */
export function isNamedIn(change: Change, { message, references }: WrittenWords): boolean {
  const text = foldWords(message);
  const isReferred = references.some(
    (reference) => reference.ref === change.ref && text.includes(foldWords(reference.text).trim()),
  );
  if (change.ref !== null && isReferred) return true;
  const label = foldWords(change.label);
  return label.trim().length >= SHORTEST && text.includes(label);
}

/**
 * Returns true where a call is about all rows of a type, and the message has one of the type's words:
 * "clear the shopping list". Pure.
 */
export function isAllOfNamedType(
  args: JsonObject,
  type: EntityType | undefined,
  message: string,
): boolean {
  if (type === undefined || args["all"] !== type.type) return false;
  const text = foldWords(message);
  const { one, many, also = [] } = type.words;
  return [one, many, ...also].some((word) => text.includes(foldWords(word)));
}

/** Lowercase words with single spaces around them, accents and punctuation left out. */
function foldWords(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ` ${plain.match(/[\p{L}\p{N}]+/gu)?.join(" ") ?? ""} `;
}
