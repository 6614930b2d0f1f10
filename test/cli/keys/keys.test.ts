import { expect, test } from "vitest";
import { renderKeys } from "../../../cli/keys/render-keys.ts";
import type { ApiKey } from "../../../storage/users/api-keys.ts";

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
