import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { drawMap } from "../../../cli/map/draw-svg-map.ts";
import { layoutMap } from "../../../cli/map/layout.ts";
import { readMap, type MapView } from "../../../cli/map/map-view.ts";
import { EdgeTypeSchema } from "../../../state/claims.ts";
import { archivedBatch, BERLIN } from "../../support/archived-batch.ts";
import { anyCharacter } from "../../support/any-character.ts";

const read = readMap(archivedBatch(), BERLIN);
if (read.kind === "none") throw new Error(read.reason);
const { view } = read;

/** Maps of every size, with whatever texts. */
const views: fc.Arbitrary<MapView> = fc
  .array(
    fc.record({
      label: fc.string({ unit: anyCharacter }),
      text: fc.string({ unit: anyCharacter, maxLength: 400 }),
      why: fc.string({ unit: anyCharacter }),
      kind: fc.constantFrom("advice", "only if", "warning, only if"),
      support: fc.constant("1 of 4"),
      strong: fc.boolean(),
      lone: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((texts) => {
    const claims = texts.map((claim, index) => ({ id: `c${index}`, ...claim }));
    return fc.record({
      title: fc.string({ unit: anyCharacter }),
      summary: fc.string({ unit: anyCharacter }),
      claims: fc.constant(claims),
      links: fc.array(
        fc.record({
          from: fc.constantFrom(...claims),
          to: fc.constantFrom(...claims),
          type: fc.constantFrom(...EdgeTypeSchema.options),
          reason: fc.string({ unit: anyCharacter }),
        }),
        { maxLength: 20 },
      ),
      gaps: fc.array(fc.string({ unit: anyCharacter }), { maxLength: 3 }),
    });
  });

/** Returns the first fault of a text that is no XML; null for XML. */
function findXmlFault(document: string): string | null {
  const open: string[] = [];
  const isLegal = /^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
  if (!isLegal.test(document)) return "a character that XML does not have";
  const rest = document.replaceAll(
    /<!--.*?-->|<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>/g,
    (tag: string, end: string, name: string, _attributes: string, single: string) => {
      if (tag.startsWith("<!--") || single !== "") return "";
      if (end === "") open.push(name);
      else if (open.pop() !== name) return `<unexpected ${tag}`;
      return "";
    },
  );
  if (open.length > 0) return `open: ${open.join(" ")}`;
  const stray = /<|&(?!amp;|lt;|gt;|quot;|#39;)/.exec(rest);
  return stray === null ? null : `stray: ${rest.slice(stray.index, stray.index + 40)}`;
}

test("drawMap() matches its golden file, however often it draws", async () => {
  const drawing = drawMap(view);

  expect(drawMap(structuredClone(view))).toBe(drawing);
  await expect(drawing).toMatchFileSnapshot("../../golden/decision-map.svg");
});

test.prop([views])(
  "every drawing is XML, and every box stands in it, free of the others",
  (map) => {
    expect(findXmlFault(drawMap(map))).toBe(null);

    const { boxes, lines, width, height } = layoutMap(map);
    const astray = lines.filter(
      ({ note, middle: { x, y } }) => note !== "" && (x < 0 || y < 0 || x > width || y > height),
    );
    expect(boxes.map(({ claim }) => claim.id).toSorted()).toEqual(
      map.claims.map(({ id }) => id).toSorted(),
    );
    const right = 264;
    const outside = boxes.filter(
      (box) =>
        box.x < -0.5 ||
        box.y < -0.5 ||
        box.x + right > width + 0.5 ||
        box.y + box.height > height + 0.5,
    );
    const overlapping = boxes.filter((a, index) =>
      boxes
        .slice(index + 1)
        .some(
          (b) =>
            a.x < b.x + right && b.x < a.x + right && a.y < b.y + b.height && b.y < a.y + a.height,
        ),
    );
    expect({ astray, outside, overlapping }).toEqual({ astray: [], outside: [], overlapping: [] });
  },
);

test("a short reason stands on its link, a long one below the map under its number", () => {
  const [from, to] = view.claims;
  if (from === undefined || to === undefined) throw new Error("The map has no claims");
  const long = "because one evening cannot be used twice, whatever is cooked";
  const links = ["money", long, long].map((reason, index) => ({
    from,
    to,
    type: (["tradeoff", "conflicts", "supports"] as const)[index] ?? "supports",
    reason,
  }));

  const { lines, reasons } = layoutMap({ ...view, links });

  expect(lines.map(({ note }) => note)).toEqual(["money", "(1)", "(1)"]);
  expect(reasons).toEqual([long]);
  expect(drawMap({ ...view, links })).toContain(`>(1) ${long}<`);
});

test("a map of a hundred claims is drawn, linked in circles or not at all", () => {
  const claims = Array.from({ length: 100 }, (_, index) => ({
    ...view.claims[0]!,
    id: `c${index}`,
  }));
  const links = claims.slice(0, 50).map((from, index) => ({
    from,
    to: claims[(index + 1) % 50]!,
    type: "prerequisite" as const,
    reason: "",
  }));

  const drawing = drawMap({ ...view, claims, links });

  expect(findXmlFault(drawing)).toBe(null);
  expect(drawing.match(/class="box strong"/g)).toHaveLength(101); // with the one of the legend
});
