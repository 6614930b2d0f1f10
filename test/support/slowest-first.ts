import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes longest by far, the slowest first. A name that is wrong or missing costs time and
 * nothing else.
 */
const SLOWEST = [
  "cli/serve",
  "dev/crash/crash",
  "long-conversation",
  "simulated-model/laws",
  "conversations/unseen",
  "dev/chaos/chaos",
  "cli/failed-run",
  "studio/dev-server",
  "package/package",
  "driver/two-processes",
];

/**
 * Begins with the slowest files, so that none is left alone at the end; the rest as Vitest would.
 * It knows how long files take only where it has run before, which a fresh checkout has not.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, and no array's
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankTest(a) - rankTest(b));
  }
}

function rankTest({ moduleId }: TestSpecification): number {
  const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? SLOWEST.length : place;
}
