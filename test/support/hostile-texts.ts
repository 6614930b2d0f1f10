import { fc } from "@fast-check/vitest";

const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(..."bcdfghkmnpqrstvwz"), { minLength, maxLength })
    .map((found) => found.join(""));

const joined = (separator: string, part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join(separator));

const port = fc.integer({ min: 1_024, max: 65_535 });

/** Names as of columns, tables and tools: `use_by`. */
export const anyIdentifier: fc.Arbitrary<string> = joined("_", letters(3, 6));

const anyHost = fc.oneof(joined(".", letters(3, 8)), fc.constant("localhost"), fc.ipV4());

/** Machinery as it stands in messages of services, databases and models, with no vowel in its words. */
export const anyHostilePiece: fc.Arbitrary<string> = fc.oneof(
  anyHost,
  fc.tuple(anyHost, port).map(([host, number]) => `${host}:${number}`),
  fc.tuple(letters(3, 8), port).map(([name, number]) => `${name}:${number}`),
  port.map((number) => `port ${number}`),
  fc
    .tuple(fc.constantFrom("http", "https", "postgresql", "redis"), anyHost, port, letters(3, 8))
    .map(([scheme, host, number, path]) => `${scheme}://${host}:${number}/${path}?key=${path}`),
  fc.uuid(),
  joined(".", letters(3, 6)).map((path) => `$.${path}[0]`),
  joined(".", letters(3, 6)).map((path) => `${path}[12].${path}`),
  joined("_", letters(3, 6)).map((name) => name.toUpperCase()),
  anyIdentifier,
  fc.tuple(letters(3, 6), fc.nat(999)).map(([type, number]) => `${type}_${number}`),
  fc.constantFrom("HTTP 429", "status 503", "status code 401", "HTTP status 500"),
);
