import { once } from "node:events";
import { createServer } from "node:http";
import { exportSPKI, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { expect, test } from "vitest";
import { createAuthenticate } from "../../../server/access/authenticate.ts";
import { createKeyLookup } from "../../../server/access/key-lookup.ts";
import { createApiKey, revokeApiKey } from "../../../storage/users/api-keys.ts";
import { testDatabase } from "../../support/database.ts";
import { createTokenIssuer } from "../../support/token-issuer.ts";

const database = await testDatabase();
const issuer = await createTokenIssuer();
const findKeyOwner = createKeyLookup(database.pool);
const authenticate = createAuthenticate(
  { kind: "on", apiKeys: true, jwt: issuer.settings },
  { findKeyOwner, fetch: issuer.fetch },
);

function requestWith(headers: Readonly<Record<string, string>>) {
  return { header: (name: string) => headers[name] };
}

async function ask(headers: Readonly<Record<string, string>>) {
  return authenticate(requestWith(headers));
}

async function newKey(userId: string, expiresAt: Date | null = null) {
  return createApiKey(database.pool, { userId, label: "test", expiresAt });
}

const now = () => Math.floor(Date.now() / 1_000);

test("a key says whose it is, in either header", async () => {
  const { key, record } = await newKey("ada");
  const caller = { userId: "ada", via: "api-key", keyId: record.keyId };

  expect(await ask({ "x-api-key": key })).toEqual(caller);
  expect(await ask({ authorization: `Bearer ${key}` })).toEqual(caller);
  expect(await ask({ authorization: `bearer  ${key} ` })).toEqual(caller);
});

test("a key that is revoked, expired, cut or made up says nothing", async () => {
  const revoked = await newKey("ada");
  await revokeApiKey(database.pool, revoked.record.keyId);
  const expired = await newKey("ada", new Date(Date.now() - 1_000));
  const { key } = await newKey("ada");

  for (const wrong of [revoked.key, expired.key, key.slice(0, -1), `${key}x`, "cg_", "", "x"]) {
    expect([wrong, await ask({ "x-api-key": wrong })]).toEqual([wrong, null]);
    expect(await ask({ authorization: `Bearer ${wrong}` })).toBeNull();
  }
  expect(await ask({})).toBeNull();
  expect(await ask({ authorization: key })).toBeNull();
  expect(await ask({ authorization: `Basic ${key}` })).toBeNull();
});

test("a token says whose it is; its issuer's keys are fetched once", async () => {
  const before = issuer.fetches();
  const caller = { userId: "bob", via: "jwt" };

  expect(await ask({ authorization: `Bearer ${await issuer.sign("bob")}` })).toEqual(caller);
  expect(await ask({ authorization: `Bearer ${await issuer.sign("bob")}` })).toEqual(caller);
  expect(issuer.fetches() - before).toBeLessThanOrEqual(1);
});

test("a key from an SDK's environment does not stand in a token's way", async () => {
  const token = await issuer.sign("bob");

  const caller = await ask({ "x-api-key": "lsv2_other", authorization: `Bearer ${token}` });

  expect(caller).toEqual({ userId: "bob", via: "jwt" });
});

test("a clock may be half a minute off, not more", async () => {
  const justNow = await issuer.sign("bob", { exp: now() - 20 });
  const before = await issuer.sign("bob", { exp: now() - 40 });

  expect(await ask({ authorization: `Bearer ${justNow}` })).toEqual({ userId: "bob", via: "jwt" });
  expect(await ask({ authorization: `Bearer ${before}` })).toBeNull();
});

test.each([
  ["another audience", { aud: "other" }],
  ["no audience", { aud: undefined }],
  ["another issuer", { iss: "https://evil.example/" }],
  ["no end", { exp: undefined }],
  ["a beginning to come", { nbf: now() + 3_600 }],
  ["no user", { sub: undefined }],
  ["an empty user", { sub: "" }],
  ["a user that cannot be stored", { sub: "a\0b" }],
  ["an endless user", { sub: "x".repeat(256) }],
])("a token with %s is not believed", async (_name, claims) => {
  const token = await issuer.sign("bob", claims as JWTPayload);

  expect(await ask({ authorization: `Bearer ${token}` })).toBeNull();
});

test("a token that is signed by nobody, or by somebody else, is not believed", async () => {
  const other = await createTokenIssuer("key-1");
  const unknown = await createTokenIssuer("key-2");
  const claims = { iss: issuer.settings.issuer, aud: issuer.settings.audience, sub: "bob" };
  const unsigned = new UnsecuredJWT({ ...claims, exp: now() + 300 }).encode();
  // The public key taken for a shared secret.
  const secret = new TextEncoder().encode(await exportSPKI(issuer.publicKey));
  const confused = await new SignJWT({ ...claims, exp: now() + 300 })
    .setProtectedHeader({ alg: "HS256", kid: "key-1" })
    .sign(secret);
  const valid = await issuer.sign("bob");
  const [head, , signature] = valid.split(".");
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: "ada", exp: now() + 300 }));
  const changed = [head, payload.toString("base64url"), signature].join(".");

  for (const token of [
    await other.sign("bob"),
    await unknown.sign("bob"),
    unsigned,
    confused,
    changed,
    "a.b.c",
    `${"x".repeat(9_000)}.b.c`,
  ]) {
    expect([token, await ask({ authorization: `Bearer ${token}` })]).toEqual([token, null]);
  }
});

test("an operator hears why a token is not believed, and nothing of it", async () => {
  const reasons: string[] = [];
  const denying = createAuthenticate(
    { kind: "on", apiKeys: false, jwt: issuer.settings },
    { findKeyOwner, fetch: issuer.fetch, onRejected: (reason) => void reasons.push(reason) },
  );
  const tokens = [
    await issuer.sign("bob"),
    await issuer.sign("bob", { exp: now() - 40 }),
    await issuer.sign("bob", { aud: "other-program" }),
    await issuer.sign("bob", { sub: "a\0b" }),
    `${"x".repeat(9_000)}.y.z`,
  ];

  for (const token of tokens) {
    await denying(requestWith({ authorization: `Bearer ${token}` }));
  }

  expect(reasons).toEqual([
    '"exp" claim timestamp check failed',
    'unexpected "aud" claim value',
    'its "sub" cannot be a user\'s id',
    "it is too long",
  ]);
});

test("while the issuer's keys cannot be fetched nobody is turned away for good", async () => {
  const down = await createTokenIssuer();
  down.setDown(true);
  const ask = createAuthenticate(
    { kind: "on", apiKeys: false, jwt: down.settings },
    { findKeyOwner, fetch: down.fetch },
  );
  const token = await down.sign("bob");
  const request = requestWith({ authorization: `Bearer ${token}` });

  await expect(ask(request)).rejects.toMatchObject({ code: "keys_unavailable", status: 503 });
  down.setDown(false);
  expect(await ask(request)).toEqual({ userId: "bob", via: "jwt" });
  down.setDown(true);
  expect(await ask(request)).toEqual({ userId: "bob", via: "jwt" });
});

test("keys are read from where the issuer publishes them", async () => {
  const real = await createTokenIssuer();
  const server = createServer((_incoming, outgoing) => {
    void real.fetch("").then(async (published) => outgoing.end(await published.text()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const settings = { ...real.settings, jwksUrl: `http://127.0.0.1:${port}/keys` };
  const ask = createAuthenticate({ kind: "on", apiKeys: false, jwt: settings }, { findKeyOwner });
  const token = await real.sign("bob");
  const request = requestWith({ authorization: `Bearer ${token}` });

  expect(await ask(request)).toEqual({ userId: "bob", via: "jwt" });
  server.close();
  server.closeAllConnections();
});

test("only what is switched on is believed", async () => {
  const { key, record } = await newKey("ada");
  const token = await issuer.sign("bob");
  const options = { findKeyOwner, fetch: issuer.fetch };
  const keysOnly = createAuthenticate({ kind: "on", apiKeys: true, jwt: null }, options);
  const jwt = issuer.settings;
  const tokensOnly = createAuthenticate({ kind: "on", apiKeys: false, jwt }, options);
  const withKey = requestWith({ "x-api-key": key });
  const withToken = requestWith({ authorization: `Bearer ${token}` });

  expect(await keysOnly(withToken)).toBeNull();
  const { keyId } = record;
  expect(await keysOnly(withKey)).toEqual({ userId: "ada", via: "api-key", keyId });
  expect(await tokensOnly(withKey)).toBeNull();
  expect(await tokensOnly(withToken)).toEqual({ userId: "bob", via: "jwt" });
});

test("with access off everybody is the demo user, whatever they say", async () => {
  const off = createAuthenticate({ kind: "off" }, { findKeyOwner });

  expect(await off({ header: () => "Bearer x" })).toEqual({ userId: "demo", via: "loopback" });
});
