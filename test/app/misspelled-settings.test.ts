import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EnvironmentSchema } from "../../app/config.ts";
import {
  describeIgnored,
  findMisspelled,
  readEnvironmentLines,
} from "../../app/misspelled-settings.ts";

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

test("describeIgnored() names what is set and not used, and its line, never a value", () => {
  const file = [
    "# comment",
    "",
    "FOO bar-secret",
    "export CONCIERGE_LOG=warn",
    "CONCIERGE_COLOUR=secret",
    'NOTE="two',
    'CONCIERGE_X = lines"',
    "OTHER_TOOL=x",
    "  garbage",
  ].join("\r\n");

  expect(
    describeIgnored(
      { OPENAI_KEY: "sk-secret", CONCIERGE_SERVICE_HOST: "10.0.0.1", PATH: "/bin" },
      SETTINGS,
      readEnvironmentLines(file),
    ),
  ).toEqual([
    "Not used: OPENAI_KEY is not a setting; did you mean OPENAI_API_KEY?",
    'Not used: CONCIERGE_COLOUR in line 5 of the file ".env" is not a setting; .env.example lists them',
    'Not used: line 3 of the file ".env" cannot be read; write NAME=value, or # first',
    'Not used: line 9 of the file ".env" cannot be read; write NAME=value, or # first',
  ]);
});

test("readEnvironmentLines() finds no fault with the file that people copy", () => {
  const text = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");

  const { names, unreadable } = readEnvironmentLines(text);

  expect(unreadable).toEqual([]);
  expect([...names.keys()].filter((name) => !SETTINGS.includes(name))).toEqual([]);
});
