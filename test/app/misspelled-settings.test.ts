import { expect, test } from "vitest";
import { EnvironmentSchema } from "../../app/config.ts";
import { findMisspelled } from "../../app/misspelled-settings.ts";

const SETTINGS = Object.keys(EnvironmentSchema.shape);

test("findMisspelled() finds what is some letters off or lacks its end", () => {
  const env = {
    CONCIERGE_HOTS: "0.0.0.0",
    CONCERGE_AUTH: "keys",
    CONCIERGE_DRAIN: "5",
    DATABASE_URI: "postgresql://localhost/x",
  };

  expect(findMisspelled(env, SETTINGS)).toEqual([
    { name: "CONCERGE_AUTH", meant: "CONCIERGE_AUTH" },
    { name: "CONCIERGE_DRAIN", meant: "CONCIERGE_DRAIN_SECONDS" },
    { name: "CONCIERGE_HOTS", meant: "CONCIERGE_HOST" },
    { name: "DATABASE_URI", meant: "DATABASE_URL" },
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
