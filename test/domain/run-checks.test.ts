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

function warn(reason: string): Verdict {
  return { kind: "warning", rule: "pages", reason };
}
