import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DRAWING_START } from "../../../cli/map/draw-svg-map.ts";
import { writeDrawing } from "../../../cli/map/write-drawing.ts";

const folder = mkdtempSync(join(tmpdir(), "concierge-map-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("writeDrawing() writes a drawing, and replaces an earlier one or an empty file", async () => {
  const file = join(folder, "a map.svg");
  writeFileSync(file, "");

  expect(await writeDrawing(file, `${DRAWING_START}\n<svg>a longer one</svg>`)).toBe(file);
  expect(await writeDrawing(file, `${DRAWING_START}\n<svg/>`)).toBe(file);

  expect(readFileSync(file, "utf8")).toBe(`${DRAWING_START}\n<svg/>`);
});

test("writeDrawing() overwrites nothing else, and reports why in one sentence", async () => {
  const taken = join(folder, "logo.svg");
  writeFileSync(taken, "<svg>mine</svg>");
  const missing = join(folder, "none", "map.svg");
  const inFile = join(taken, "map.svg");
  const long = join(folder, `${"x".repeat(300)}.svg`);
  const files = [folder, taken, missing, inFile, "/dev/null", long];

  const problems = await Promise.all(
    files.map((file) =>
      writeDrawing(file, "<svg/>").catch((error: unknown) =>
        error instanceof Error ? error.message : error,
      ),
    ),
  );

  expect(problems).toEqual([
    `Cannot draw the map into "${folder}": it is a folder; name a file in it`,
    `Cannot draw the map into "${taken}": a file that is not a map is already there; name another one or remove it`,
    `Cannot draw the map into "${missing}": its folder does not exist; create it first`,
    `Cannot draw the map into "${inFile}": its folder is a file; name another place`,
    'Cannot draw the map into "/dev/null": it is not an ordinary file; name another one',
    `Cannot draw the map into "${long}": the name is too long; shorten it`,
  ]);
  expect(readFileSync(taken, "utf8")).toBe("<svg>mine</svg>");
});
