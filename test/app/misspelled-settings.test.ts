import { expect, test } from "vitest";
import { EnvironmentSchema } from "../../app/config.ts";
import { describeMisspelled, findMisspelled } from "../../app/misspelled-settings.ts";

const SETTINGS = Object.keys(EnvironmentSchema.shape);

test("findMisspelled() finds a name with a few wrong letters, without its end or without a word in the middle", () => {
  const env = {
    CONCIERGE_HOTS: "0.0.0.0",
    CONCERGE_AUTH: "keys",
    CONCIERGE_DRAIN: "5",
    CONCIERGE_TIMEOUT_SECONDS: "5",
    DATABASE_URI: "postgresql://localhost/x",
    OPENAI_KEY: "sk-secret",
    OPENAI_URL: "http://localhost:11434/v1",
  };

  expect(findMisspelled(env, SETTINGS)).toEqual([
    { name: "CONCERGE_AUTH", meant: "CONCIERGE_AUTH" },
    { name: "CONCIERGE_DRAIN", meant: "CONCIERGE_DRAIN_SECONDS" },
    { name: "CONCIERGE_HOTS", meant: "CONCIERGE_HOST" },
    { name: "CONCIERGE_TIMEOUT_SECONDS", meant: "CONCIERGE_MODEL_TIMEOUT_SECONDS" },
    { name: "DATABASE_URI", meant: "DATABASE_URL" },
    { name: "OPENAI_KEY", meant: "OPENAI_API_KEY" },
    { name: "OPENAI_URL", meant: "OPENAI_BASE_URL" },
  ]);
});

test("findMisspelled() leaves settings, empty ones and other programs' variables alone", () => {
  const known = Object.fromEntries(SETTINGS.map((name) => [name, "x"]));
  const others = {
    CONCIERGE_HOTS: "",
    CONCIERGE_URL: "http://localhost:8123",
    CONCIERGE_API_KEY: "x",
    CONCIERGE_SERVICE_HOST: "10.0.0.1",
    CONCIERGE_PORT_8123_TCP: "tcp://10.0.0.1:8123",
    HOST: "x",
    OPENAI_ORG_ID: "x",
    DATABASE: "x",
    PATH: "/bin",
  };

  expect(findMisspelled({ ...known, ...others }, SETTINGS)).toEqual([]);
});

test("describeMisspelled() names the variable and the setting, never the value", () => {
  expect(describeMisspelled({ OPENAI_KEY: "sk-secret", PATH: "/bin" })).toEqual([
    "Not used: OPENAI_KEY is not a setting; did you mean OPENAI_API_KEY?",
  ]);
});
