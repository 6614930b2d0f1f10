import { expect, test } from "vitest";
import { findMisspelled } from "../../../app/settings/misspelled.ts";
import { SETTINGS } from "../../../app/settings/settings.ts";

const NAMES = SETTINGS.map(({ name }) => name);

test.each([
  ["CONCERGE_AUTH", "CONCIERGE_AUTH"],
  ["CONCIERGE_DRAIN", "CONCIERGE_DRAIN_SECONDS"],
  ["CONCIERGE_HOTS", "CONCIERGE_HOST"],
  ["CONCIERGE_REASONING_TOKEN", "CONCIERGE_REASONING_TOKENS"],
  ["CONCIERGE_KEEP_DAYS", "CONCIERGE_KEEP_RUNS_DAYS"],
  ["CONCIERGE_MODEL", "OPENAI_MODEL"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["OPENAI_API_BASE", "OPENAI_BASE_URL"],
  ["OPENAI_APIKEY", "OPENAI_API_KEY"],
  ["OPENAI_KEY", "OPENAI_API_KEY"],
  ["OPENAI_MODEL_NAME", "OPENAI_MODEL"],
  ["OPENAI_URL", "OPENAI_BASE_URL"],
  ["openai_base_url", "OPENAI_BASE_URL"],
  ["Openai_key", "OPENAI_API_KEY"],
  ["concierge_drain", "CONCIERGE_DRAIN_SECONDS"],
])("findMisspelled() takes %s for %s", (name, meant) => {
  expect(findMisspelled([name], NAMES)).toEqual([
    { name, meant, advice: `did you mean ${meant}?` },
  ]);
});

test("findMisspelled() says what another vendor's key needs", () => {
  expect(findMisspelled(["ANTHROPIC_API_KEY"], NAMES)).toEqual([
    {
      name: "ANTHROPIC_API_KEY",
      meant: "OPENAI_BASE_URL",
      advice: "set OPENAI_BASE_URL and OPENAI_API_KEY for that endpoint",
    },
  ]);
});

test("findMisspelled() leaves settings and other programs' variables alone", () => {
  const others = [
    "CONCIERGE_URL",
    "CONCIERGE_API_KEY",
    "CONCIERGE_SERVICE_HOST",
    "CONCIERGE_PORT_8123_TCP",
    "HOST",
    "http_proxy",
    "database",
    "OPENAI_ORG_ID",
    "DATABASE",
    "PATH",
    "constructor",
  ];

  expect(findMisspelled([...NAMES, ...others], NAMES)).toEqual([]);
});
