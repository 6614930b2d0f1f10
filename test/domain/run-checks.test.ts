import { expect, test } from "vitest";
import { runChecks } from "../../domain/changes/run-checks.ts";
import type { Change, Verdict } from "../../state/change.ts";

const ADDED: Change = {
  action: "create",
  type: "book",
  id: "1",
  ref: null,
  label: "Kim",
  before: null,
  after: {},
  version: null,
  changed: [],
  cause: "named",
};

test("runChecks() cuts a reason at 600 characters and keeps a shorter one whole", () => {
  const verdicts = runChecks([ADDED], {
    checks: [
      {
        name: "pages",
        types: ["book"],
        actions: ["create"],
        run: () => [warn("p".repeat(10_000)), warn("p".repeat(600))],
      },
    ],
    context: { origin: "tool", constraints: [], profile: {}, today: "2026-01-12", turn: 1 },
    links: () => [],
    onFailure: (_check, error) => expect.fail(String(error)),
  });

  expect(verdicts).toEqual([warn(`${"p".repeat(600)}…`), warn("p".repeat(600))]);
});

test.each<[string, unknown, string]>([
  [
    "of an unknown kind",
    [{ kind: "breech", rule: "pages", reason: "Too long", overridable: false }],
    "Cannot read a verdict of the check \"pages\": ✖ Invalid discriminator value. Expected 'breach' | 'confirm' | 'warning'\n  → at kind",
  ],
  [
    "without a rule",
    [{ kind: "warning", reason: "Too long" }],
    'Cannot read a verdict of the check "pages": ✖ Invalid input: expected string, received undefined\n  → at rule',
  ],
  [
    "with an empty reason",
    [{ kind: "confirm", rule: "pages", reason: " " }],
    'Cannot use a verdict of the check "pages": reason is empty',
  ],
])("runChecks() refuses the changes after a verdict %s", (_, verdicts, message) => {
  const failures: unknown[] = [];

  const found = runChecks([ADDED], {
    checks: [
      // As plain JavaScript may answer: no type stands in its way.
      {
        name: "pages",
        types: ["book"],
        actions: ["create"],
        run: () => JSON.parse(JSON.stringify(verdicts)),
      },
    ],
    context: { origin: "tool", constraints: [], profile: {}, today: "2026-01-12", turn: 1 },
    links: () => [],
    onFailure: (check, error) => failures.push({ check, message: String(error) }),
  });

  expect(found).toEqual([
    {
      kind: "breach",
      rule: "pages",
      reason: "It could not be checked, so nothing was stored",
      overridable: false,
    },
  ]);
  expect(failures).toEqual([{ check: "pages", message: `TypeError: ${message}` }]);
});

function warn(reason: string): Verdict {
  return { kind: "warning", rule: "pages", reason };
}
