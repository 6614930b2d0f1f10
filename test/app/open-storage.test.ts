import { expect, test } from "vitest";
import { openStorage } from "../../app/open-storage.ts";

test.each([
  ["postgresql://me:secret@127.0.0.1:9/none", "127.0.0.1:9"],
  ["postgresql://me:secret@db.invalid/none", "db.invalid:5432"],
  ["postgresql://me:secret@/none?host=/no/such/socket", "/no/such/socket:5432"],
])("openStorage() names host and port of %s, never the password", async (databaseUrl, server) => {
  const log = { error() {}, warn() {}, info() {}, debug() {} };

  const opening = openStorage({ databaseUrl, dataDir: "/none" }, { migrations: [], log });

  const error = await opening.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "DatabaseUnavailableError" });
  expect(String(error)).toMatch(/^DatabaseUnavailableError: Cannot reach the database: /);
  expect(String(error)).toContain(`(server: ${server})`);
  expect(String(error)).not.toContain("secret");
});
