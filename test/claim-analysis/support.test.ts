import { test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { buildMapGraph } from "../../claim-analysis/map-graph.ts";
import { readSupport, strongFrom } from "../../claim-analysis/support.ts";
import { claimMaps, oneSupporterChanged } from "../support/claim-maps.ts";

describe("readSupport()", () => {
  property.prop([claimMaps()])(
    "tallies every map that is one supporter away, and no other",
    (map) => {
      const changes = readSupport(buildMapGraph(map)).changes();
      const changed = Array.from(
        oneSupporterChanged(map),
        (other) => readSupport(buildMapGraph(other)).tally,
      );

      expect(distinct(changes)).toEqual(distinct(changed));
    },
  );
});

test.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 2],
  [4, 2],
  [5, 3],
  [6, 3],
  [32, 16],
])("strongFrom() asks of %i experts %i", (experts, supporters) => {
  expect(strongFrom(experts)).toBe(supporters);
});

function distinct(tallies: Iterable<object>): string[] {
  return [...new Set(Array.from(tallies, (tally) => JSON.stringify(tally)))].toSorted();
}
