import { expect, test } from "vitest";
import {
  asDatabaseError,
  DatabaseUnavailableError,
} from "../../../storage/postgres/database-error.ts";

function coded(code: string, message = "x"): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  ["refused", coded("ECONNREFUSED"), /the server does not answer/],
  [
    "no socket",
    Object.assign(coded("ENOENT"), { syscall: "connect" }),
    /the server does not answer/,
  ],
  [
    "both addresses refused",
    new AggregateError([coded("ECONNREFUSED")]),
    /the server does not answer/,
  ],
  ["unknown host", coded("ENOTFOUND"), /host name is not known/],
  ["wrong password", coded("28P01"), /refuses this user or password/],
  ["no such database", coded("3D000"), /does not exist/],
  ["stopping", coded("57P01"), /stopping or starting/],
  ["too many connections", coded("53300"), /no more connections/],
  ["disk full", coded("53100"), /^Cannot write to the database: the server's disk is full; free/],
  ["out of memory", coded("53200"), /^Cannot use the database: the server is out of memory/],
  ["another resource", coded("53400"), /^Cannot use the database: .* run out of a resource/],
  ["a disk that fails", coded("58030"), /^Cannot use the database: .* cannot read or write/],
  ["a file of its own gone", coded("58P01"), /^Cannot use the database: .* cannot read or write/],
  ["a standby", coded("25006"), /^Cannot write to the database: .* accepts no changes right now/],
  ["protocol", coded("08006"), /connection was lost/],
  ["cut", new Error("Connection terminated unexpectedly"), /connection was lost/],
  ["pool exhausted", new Error("timeout exceeded when trying to connect"), /became free/],
])("asDatabaseError() recognises: %s", (_name, error, sentence) => {
  const known = asDatabaseError(error);
  expect(known).toBeInstanceOf(DatabaseUnavailableError);
  expect(known).toMatchObject({ code: "database_unavailable", cause: error });
  expect((known as Error).message).toMatch(/^Cannot (?:reach|use|write to) the database: /);
  expect((known as Error).message).toMatch(sentence);
  expect(asDatabaseError(known)).toBe(known);
});

test.each([
  ["a unique violation", coded("23505")],
  ["a statement that took too long", coded("57014")],
  ["a file that is missing", Object.assign(coded("ENOENT"), { syscall: "open" })],
  ["another component's network error", new Error("x", { cause: coded("ECONNRESET") })],
  ["a bug", new TypeError("x is not a function")],
  ["no error at all", "text"],
])("asDatabaseError() lets through: %s", (_name, error) => {
  expect(asDatabaseError(error)).toBe(error);
});
