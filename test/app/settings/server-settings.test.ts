import { expect, test } from "vitest";
import { readSettings } from "../../../app/settings/read-settings.ts";
import { toServiceConfig } from "../../../app/service-config.ts";
import { UsageError } from "../../../app/usage-error.ts";
import { DEFAULT_SERVER_LIMITS } from "../../../server/settings.ts";

function read(values: Readonly<Record<string, string>>) {
  return toServiceConfig(readSettings("start", [{ kind: "environment", values }]).values).settings;
}

test("an empty environment is a server of one's own", () => {
  const expected = {
    access: { kind: "off" },
    origins: [],
    trustedProxies: [],
    limits: DEFAULT_SERVER_LIMITS,
  };

  expect(read({})).toEqual(expected);
  expect(read({ CONCIERGE_AUTH: " ", CONCIERGE_CORS_ORIGINS: "" })).toEqual(expected);
});

test("everything can be set", () => {
  const settings = read({
    CONCIERGE_AUTH: "keys, jwt",
    CONCIERGE_JWKS_URL: "https://issuer.example/keys",
    CONCIERGE_JWT_ISSUER: "https://issuer.example/",
    CONCIERGE_JWT_AUDIENCE: "concierge",
    CONCIERGE_CORS_ORIGINS: "https://example.com, http://localhost:5173",
    CONCIERGE_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8,fd00::/8",
    CONCIERGE_SERVER_LIMITS: "runsPerMinute=5, bodyBytes=1000",
  });

  expect(settings).toEqual({
    access: {
      kind: "on",
      apiKeys: true,
      jwt: {
        jwksUrl: "https://issuer.example/keys",
        issuer: "https://issuer.example/",
        audience: "concierge",
      },
    },
    origins: ["https://example.com", "http://localhost:5173"],
    trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"],
    limits: { ...DEFAULT_SERVER_LIMITS, runsPerMinute: 5, bodyBytes: 1_000 },
  });
  expect(read({ CONCIERGE_AUTH: "keys" }).access).toEqual({ kind: "on", apiKeys: true, jwt: null });
});

test.each([
  ["CONCIERGE_AUTH", "off,keys"],
  ["CONCIERGE_JWKS_URL", "issuer"],
  ["CONCIERGE_CORS_ORIGINS", "https://example.com/"],
  ["CONCIERGE_CORS_ORIGINS", "null"],
  ["CONCIERGE_TRUSTED_PROXIES", "10.0.0.0/64"],
  ["CONCIERGE_SERVER_LIMITS", "runs=5"],
  ["CONCIERGE_SERVER_LIMITS", "bodyBytes=-1"],
])("%s=%s is refused", (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`${name} "${value}" (environment) `);
});

test.each([
  [
    "runsPerMinut=30",
    `has no limit "runsPerMinut"; the limits are ${Object.keys(DEFAULT_SERVER_LIMITS).join(", ")}`,
  ],
  ["bodyBytes=0", 'must give "bodyBytes" a whole number from 1 to 999999999'],
  ["connections", 'must give "connections" a whole number from 1 to 999999999'],
])("CONCIERGE_SERVER_LIMITS=%s is told what is wrong with it", (value, message) => {
  expect(() => read({ CONCIERGE_SERVER_LIMITS: value })).toThrow(
    new UsageError(`CONCIERGE_SERVER_LIMITS "${value}" (environment) ${message}`),
  );
});

test("tokens of nobody in particular are refused, and the variable named", () => {
  const env = {
    CONCIERGE_AUTH: "jwt",
    CONCIERGE_JWKS_URL: "http://localhost:9/keys",
    CONCIERGE_JWT_ISSUER: "me",
  };

  expect(() => read(env)).toThrow(
    new UsageError(
      'CONCIERGE_AUTH "jwt" (environment) needs CONCIERGE_JWT_AUDIENCE, which is not set; set it',
    ),
  );
});
