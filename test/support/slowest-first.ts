import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, the slowest first. Beside each that keeps the processors busy stands
 * one that mostly waits. A name that is wrong or missing costs time and nothing else.
 */
const SLOWEST = [
  "dev/crash/crash",
  "cli/serve",
  "long-conversation",
  "cli/exit-codes",
  "dev/chaos/chaos",
  "conversations/unseen",
  "conversations/orders",
  "models/profile/characters",
  "dev/evaluate/evaluate",
  "models/failures/faults",
  "cli/models/models",
  "storage/embedded/embedded",
  "package/package",
  "driver/two-processes",
  "simulated-model/conversations",
  "server/listen",
  "dev/simulation",
  "cli/failed-run",
  "simulated-model/laws",
  "cli/commands",
  "dev/bench/run",
  "cli/chat-ends",
  "driver/lost-lease",
  "worker/worker",
  "limits",
  "graph/concierge-failures",
  "cli/embedded-killed",
  "studio/npm-gone",
  "storage/embedded/full-disk",
  "cli/compile-cache",
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
