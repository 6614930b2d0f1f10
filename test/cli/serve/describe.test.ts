import { expect, test } from "vitest";
import { describeAccess, describeDatabase } from "../../../cli/serve/describe.ts";
import { explainListening } from "../../../app/explain-listening.ts";
import { UsageError } from "../../../app/usage-error.ts";

test.each([
  [null, "an embedded PostgreSQL in /data"],
  ["postgresql://me:secret@db.example:5433/kitchen", "kitchen at db.example:5433"],
  ["postgresql://me:secret@db.example", "the default one at db.example"],
  ["postgresql://me@/kitchen?host=/run/socket", "the one in DATABASE_URL"],
])("describeDatabase() names the database %s without user and password", (databaseUrl, text) => {
  expect(describeDatabase({ databaseUrl, dataDir: "/data" })).toBe(text);
});

test("describeAccess() says how callers say who they are", () => {
  const jwt = { jwksUrl: "https://i.example/keys", issuer: "https://i.example/", audience: "c" };

  expect(describeAccess({ kind: "on", apiKeys: true, jwt })).toBe(
    "API keys (npm run keys -- create --user NAME makes one) and tokens of https://i.example/",
  );
  expect(describeAccess({ kind: "on", apiKeys: false, jwt })).toBe("tokens of https://i.example/");
});

test.each([
  ["EADDRINUSE", "::1", "[::1]:80: another program already listens there"],
  ["EACCES", "127.0.0.1", "127.0.0.1:80: this user is not allowed to"],
  ["EADDRNOTAVAIL", "10.9.8.7", "10.9.8.7:80: this machine has no such address"],
  ["ENOTFOUND", "nowhere", "nowhere:80: the name is not known"],
])("explainListening() makes a sentence of %s", (code, host, text) => {
  const explained = explainListening(Object.assign(new Error(code), { code }), { host, port: 80 });

  expect(String(explained)).toContain(`Cannot listen on ${text}; `.slice(0, -2));
});

test("explainListening() leaves the person's mistakes and unknown errors what they are", () => {
  const place = { host: "0.0.0.0", port: 80 };
  const unknown = new Error("boom");

  expect(explainListening(new RangeError("Cannot listen"), place)).toEqual(
    new UsageError("Cannot listen"),
  );
  expect(explainListening(unknown, place)).toBe(unknown);
});
