import { expect, test } from "vitest";
import { watchParent } from "../../../cli/serve/watch-parent.ts";

test("watchParent() reports once that a process which started this one is gone", async () => {
  let parent = "42 41";
  let looks = 0;
  let calls = 0;
  const { promise: gone, resolve } = Promise.withResolvers<void>();

  const stop = watchParent(
    () => {
      looks += 1;
      if (looks === 3) parent = "42 1";
      return parent;
    },
    {
      everyMs: 1,
      onGone() {
        calls += 1;
        resolve();
      },
    },
  );
  await gone;
  stop();

  expect({ looks, calls }).toEqual({ looks: 3, calls: 1 });
});
