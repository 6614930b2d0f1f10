import { expect, test } from "vitest";
import { readKeysArguments } from "../../../cli/keys/arguments.ts";
import { renderKeys } from "../../../cli/keys/render-keys.ts";
import { UsageError } from "../../../app/usage-error.ts";
import { readUserDataArguments } from "../../../cli/user-data/arguments.ts";
import type { ApiKey } from "../../../storage/users/api-keys.ts";

test("readKeysArguments() reads what is to be done", () => {
  const create = ["create", "--user", "ann", "--label", "laptop", "--days", "30"];

  expect(readKeysArguments(create)).toEqual({
    kind: "create",
    userId: "ann",
    label: "laptop",
    days: 30,
  });
  expect(readKeysArguments(["create", "--user", "ann"])).toEqual({
    kind: "create",
    userId: "ann",
    label: "",
    days: null,
  });
  expect(readKeysArguments(["list"])).toEqual({ kind: "list", userId: null });
  expect(readKeysArguments(["list", "--user", "ann"])).toEqual({ kind: "list", userId: "ann" });
  expect(readKeysArguments(["revoke", "k1"])).toEqual({ kind: "revoke", keyId: "k1" });
  expect(readKeysArguments(["--help"])).toBe("help");
});

test.each([
  [[], "Cannot run keys: no action was given; write create, list, revoke"],
  [
    ["creat"],
    'Cannot run keys: "creat" is not one of its actions; write create, list, revoke; did you mean "create"?',
  ],
  [["create"], "Cannot create a key without a user: name one with --user ID"],
  [
    ["create", "--user", "ann", "--days", "0"],
    'Cannot use --days "0": write a whole number from 1 to 3650',
  ],
  [
    ["create", "--user", "ann", "--label", "a\nb"],
    'Cannot use --label "a\nb": write at most 200 characters without control characters',
  ],
  [["revoke"], "Cannot revoke without the key's id: npm run --silent keys -- list shows the ids"],
  [["revoke", "k1", "k2"], 'Cannot use "k2" as well: --help lists the actions and options'],
  [
    ["create", "--user", "ann", "--days", "-3"],
    'Cannot use --days "-3": write a whole number from 1 to 3650',
  ],
  [["list", "--days", "3"], "Cannot use --days with list: --help lists the options of each action"],
] as const)("readKeysArguments() refuses %j in one sentence", (argv, message) => {
  expect(() => readKeysArguments(argv)).toThrow(new UsageError(message));
});

test("renderKeys() shows them one a line, with their validity", () => {
  const key: ApiKey = {
    keyId: "k1",
    userId: "ann",
    label: "laptop",
    createdAt: "2026-01-01T10:00:00.000Z",
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  const keys = [
    key,
    { ...key, keyId: "k2", label: "", expiresAt: "2026-02-01T00:00:00.000Z" },
    { ...key, keyId: "k3", expiresAt: "2026-01-10T00:00:00.000Z" },
    { ...key, keyId: "k4", revokedAt: "2026-01-09T00:00:00.000Z", lastUsedAt: key.createdAt },
  ];

  expect(renderKeys(keys, new Date("2026-01-12T00:00:00Z"))).toBe(
    [
      "id  user  label   created     last used   valid",
      "k1  ann   laptop  2026-01-01  never       until revoked",
      "k2  ann   -       2026-01-01  never       until 2026-02-01",
      "k3  ann   laptop  2026-01-01  never       expired 2026-01-10",
      "k4  ann   laptop  2026-01-01  2026-01-01  revoked 2026-01-09",
      "",
    ].join("\n"),
  );
  expect(renderKeys([], new Date())).toBe("There are no keys.\n");
});

test("renderKeys() shows nothing that a terminal would obey", () => {
  const key: ApiKey = {
    keyId: "k1",
    userId: "a\u009B2Jnn",
    label: "",
    createdAt: "2026-01-01T10:00:00.000Z",
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };

  expect(renderKeys([key], new Date("2026-01-12T00:00:00Z"))).toContain(
    "\nk1  a2Jnn  -      2026-01-01  ",
  );
});

test("readUserDataArguments() reads whose data, and refuses anything else in one sentence", () => {
  const refusals: readonly [readonly string[], string][] = [
    [[], "Cannot run user-data: no action was given; write export or erase"],
    [["erase"], "Cannot erase data without a user: name one with --user ID"],
    [["export", "ann"], 'Cannot use "ann" as well: --help lists the actions and options'],
  ];

  expect(readUserDataArguments(["export", "--user", "ann"])).toEqual({
    kind: "export",
    userId: "ann",
  });
  for (const [argv, message] of refusals) {
    expect(() => readUserDataArguments(argv)).toThrow(new UsageError(message));
  }
});
