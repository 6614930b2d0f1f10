import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { z } from "zod";
import { readSettings, type ReadSettingsOptions } from "../../../app/settings/read-settings.ts";
import { COMMAND_NAMES, type ProgramCommand, type Source } from "../../../app/settings/setting.ts";
import { SETTINGS, usesSetting } from "../../../app/settings/settings.ts";
import { UsageError } from "../../../app/usage-error.ts";
import { readYaml } from "../../support/read-yaml.ts";

const CASES = readYaml(
  new URL("read-settings.yaml", import.meta.url),
  z.array(z.object({ setting: z.string(), value: z.string(), message: z.string() })),
);

/** Settings whose every text can be used. */
const FREE = SETTINGS.map(({ name }) => name).filter(
  (name) =>
    /^(?:OPENAI_API_KEY|OPENAI_MODEL|CONCIERGE_JWT_.+|CONCIERGE_DATA_DIR|CONCIERGE_PRICES)$/.test(
      name,
    ) || /^(?:LANG|CONCIERGE_MODEL_(?!TIER|WINDOW))/.test(name),
);

function environment(values: Readonly<Record<string, string>>): Source {
  return { kind: "environment", values };
}

/** A file `.env` whose first variable is on the fourth line. */
function file(values: Readonly<Record<string, string>>): Source {
  const names = new Map(Object.keys(values).map((name, index) => [name, index + 4]));
  return { kind: "file", path: ".env", values, lines: { names, unreadable: [] } };
}

/** Returns the lines of the error; null where there is none. */
function findErrors(
  command: ProgramCommand,
  sources: readonly Source[],
  options?: ReadSettingsOptions,
): readonly string[] | null {
  try {
    readSettings(command, sources, options);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message.split("\n");
    throw error;
  }
}

function isSecret(name: string): boolean {
  return SETTINGS.some((setting) => setting.name === name && setting.secret);
}

test("the table of bad values has every setting that can be wrong", () => {
  const names = new Set([...CASES.map(({ setting }) => setting), ...FREE]);

  expect([...names].toSorted()).toEqual(SETTINGS.map(({ name }) => name).toSorted());
});

test.each(CASES)(
  "readSettings() names $setting=$value with file and line where a command uses it, and warns elsewhere",
  ({ setting, value, message }) => {
    const subject = isSecret(setting) ? setting : `${setting} "${value}"`;
    const inFile = `.env line 4: ${subject} ${message}`;
    const outside = `${subject} (environment) ${message}`;
    const bad = { [setting]: value };
    const using = COMMAND_NAMES.filter((command) => usesSetting(command, setting));
    const others = COMMAND_NAMES.filter((command) => !using.includes(command));
    const readFromFile = (command: ProgramCommand) =>
      readSettings(command, [environment({}), file(bad)]);

    expect(using.map((command) => findErrors(command, [environment({}), file(bad)]))).toEqual(
      using.map(() => [inFile]),
    );
    expect(using.map((command) => findErrors(command, [environment(bad)]))).toEqual(
      using.map(() => [outside]),
    );
    expect(others.map(readFromFile)).toEqual(
      others.map((command) => ({
        values: readSettings(command, []).values,
        warnings: [`Not used here: ${inFile}`],
      })),
    );
  },
);

test("readSettings() names all that is wrong, one line each", () => {
  const sources = [
    { kind: "option", values: { CONCIERGE_PORT: "x" }, options: { CONCIERGE_PORT: "--port" } },
    environment({ CONCIERGE_LOG: "loud", OPENAI_KEY: "sk-secret" }),
    file({ CONCIERGE_LOG: "warn", CONCIERGE_POOL_SIZE: "1", CONCIERGE_PORT: "80" }),
  ] as const;

  expect(findErrors("start", sources)).toEqual([
    'CONCIERGE_PORT "x" (--port) must be a whole number from 0 to 65535',
    '.env line 5: CONCIERGE_POOL_SIZE "1" must be a whole number from 2 to 500',
    'CONCIERGE_LOG "loud" (environment) must be one of silent, error, warn, info, debug',
    "OPENAI_KEY (environment) is not a setting; did you mean OPENAI_API_KEY? No model is set: correct the name, or remove it for the simulated model",
  ]);
});

const MISSPELLED: Readonly<Record<string, string>> = {
  OPENAI_KEY: "did you mean OPENAI_API_KEY?",
  OPENAI_APIKEY: "did you mean OPENAI_API_KEY?",
  OPENAI_API_BASE: "did you mean OPENAI_BASE_URL?",
  OPENAI_URL: "did you mean OPENAI_BASE_URL?",
  OPENAI_MODEL_NAME: "did you mean OPENAI_MODEL?",
  ANTHROPIC_API_KEY: "set OPENAI_BASE_URL and OPENAI_API_KEY for that endpoint",
  CONCIERGE_MODEL_THNIK: "did you mean CONCIERGE_MODEL_THINK?",
  CONCIERGE_LOGG: "did you mean CONCIERGE_LOG?",
  CONCIERGE_DRAIN: "did you mean CONCIERGE_DRAIN_SECONDS?",
};

test.each(Object.entries(MISSPELLED))(
  "readSettings() names the misspelled %s for every command, never its value",
  (name, advice) => {
    for (const command of COMMAND_NAMES) {
      const { warnings } = readSettings(command, [environment({}), file({ [name]: "sk-secret" })], {
        allowsSimulated: true,
      });
      expect(warnings).toEqual([`Not used: .env line 4: ${name} is not a setting; ${advice}`]);
    }
  },
);

test("readSettings() refuses a misspelled model setting where a command needs a model and none is set", () => {
  const isRefused = (command: ProgramCommand, ...sources: readonly Source[]) =>
    findErrors(command, sources) !== null;
  const misspelled = file({ OPENAI_URL: "http://localhost:11434/v1" });

  expect(COMMAND_NAMES.filter((command) => isRefused(command, misspelled))).toEqual(
    COMMAND_NAMES.filter((command) => usesSetting(command, "OPENAI_MODEL")),
  );
  expect(isRefused("start", environment({ OPENAI_API_KEY: "sk-1" }), misspelled)).toBe(false);
  expect(findErrors("start", [misspelled], { allowsSimulated: true })).toBeNull();
  expect(isRefused("start", environment({ CONCIERGE_LOGG: "info" }))).toBe(false);
  expect(isRefused("start", environment({ OPENAI_URL: " " }))).toBe(false);
});

test("readSettings() takes another vendor's key in the environment for another program's", () => {
  const key = { ANTHROPIC_API_KEY: "sk-secret" };

  expect(findErrors("start", [environment(key)])).toBeNull();
  expect(findErrors("start", [file(key)])).toHaveLength(1);
  expect(readSettings("start", [environment({ ...key, OPENAI_API_KEY: "sk-1" })]).warnings).toEqual(
    [],
  );
});

test("readSettings() names the lines of .env that it cannot use, and no value", () => {
  const source: Source = {
    kind: "file",
    path: ".env",
    values: { CONCIERGE_COLOUR: "secret", OTHER_TOOL: "x", CONCIERGE_HOTS: "secret" },
    lines: {
      names: new Map([
        ["CONCIERGE_COLOUR", 5],
        ["OTHER_TOOL", 6],
        ["CONCIERGE_HOTS", 7],
      ]),
      unreadable: [{ line: 3, name: "garbage" }],
    },
  };

  expect(readSettings("keys", [environment({ CONCIERGE_SHAPE: "x" }), source]).warnings).toEqual([
    "Not used: .env line 7: CONCIERGE_HOTS is not a setting; did you mean CONCIERGE_HOST?",
    "Not used: .env line 5: CONCIERGE_COLOUR is not a setting; docs/settings.md lists them",
    "Not used: .env line 3 cannot be read; write NAME=value, or # at its beginning",
  ]);
});

test("readSettings() names misspelled settings and lines that cannot be read beside what is wrong", () => {
  const source: Source = {
    kind: "file",
    path: ".env",
    values: { CONCIERGE_LOG: "loud", OPENAI_MODLE: "m", openai_api_key: "secret" },
    lines: {
      names: new Map([
        ["CONCIERGE_LOG", 4],
        ["OPENAI_MODLE", 6],
        ["openai_api_key", 7],
      ]),
      unreadable: [{ line: 5, name: "garbage" }],
    },
  };
  const endpoint = environment({ OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });

  expect(findErrors("models", [endpoint, source])).toEqual([
    '.env line 4: CONCIERGE_LOG "loud" must be one of silent, error, warn, info, debug',
    'OPENAI_BASE_URL "http://127.0.0.1:9/v1" (environment) has no model for "understand"; set OPENAI_MODEL to a model that this endpoint serves',
    "Not used: .env line 6: OPENAI_MODLE is not a setting; did you mean OPENAI_MODEL?",
    "Not used: .env line 7: openai_api_key is not a setting; did you mean OPENAI_API_KEY?",
    "Not used: .env line 5 cannot be read; write NAME=value, or # at its beginning",
  ]);
});

test.each(["OPENAI_BASE_URL", "OPENAI_URL", "openai_base_url", "CONCIERGE_MODEL_THINK"])(
  "readSettings() refuses a line with %s that cannot be read where no model is set",
  (name) => {
    const source: Source = {
      kind: "file",
      path: ".env",
      values: {},
      lines: { names: new Map(), unreadable: [{ line: 2, name }] },
    };
    const line = ".env line 2 cannot be read; write NAME=value, or # at its beginning";

    expect(findErrors("chat", [source])).toEqual([
      `${line}. No model is set: correct the line, or remove it for the simulated model`,
    ]);
    expect(readSettings("chat", [source], { allowsSimulated: true }).warnings).toEqual([
      `Not used: ${line}`,
    ]);
    expect(readSettings("keys", [source]).warnings).toEqual([`Not used: ${line}`]);
    expect(
      readSettings("chat", [environment({ OPENAI_API_KEY: "sk-1" }), source]).warnings,
    ).toEqual([`Not used: ${line}`]);
  },
);

test("readSettings() tells where each value comes from: option, environment, .env, none", () => {
  const sources = [
    { kind: "option", values: { CONCIERGE_PORT: "1" }, options: { CONCIERGE_PORT: "--port" } },
    environment({ CONCIERGE_PORT: "2", CONCIERGE_HOST: "::1", CONCIERGE_POOL_SIZE: " " }),
    file({ CONCIERGE_HOST: "::", CONCIERGE_RUN_MINUTES: "3", CONCIERGE_POOL_SIZE: "4" }),
  ] as const;
  const { values } = readSettings("start", sources);

  expect(values.CONCIERGE_PORT).toEqual({ value: 1, place: { kind: "option", option: "--port" } });
  expect(values.CONCIERGE_HOST).toEqual({ value: "::1", place: { kind: "environment" } });
  expect(values.CONCIERGE_RUN_MINUTES).toEqual({
    value: 3,
    place: { kind: "file", path: ".env", line: 5 },
  });
  // Set to nothing in the environment: the file does not count either.
  expect(values.CONCIERGE_POOL_SIZE).toEqual({ value: 20, place: { kind: "default" } });
  expect(values.CONCIERGE_LOG).toEqual({ value: null, place: { kind: "default" } });
});

test.prop([
  fc.constantFrom(...SETTINGS.filter(({ secret }) => secret).map(({ name }) => name)),
  fc.string({ minLength: 12, unit: fc.constantFrom(..."0123456789") }),
  fc.boolean(),
])("readSettings() never repeats a secret", (name, secret, isInFile) => {
  const values = { [name]: `[${secret}` };
  const sources = [isInFile ? file(values) : environment(values)];

  for (const command of COMMAND_NAMES) {
    const lines = findErrors(command, sources) ?? readSettings(command, sources).warnings;
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});
