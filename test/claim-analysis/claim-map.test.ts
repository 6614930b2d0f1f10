import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ClaimEdgeSchema, ClaimMapSchema, type MapperAnswer } from "../../state/claims.ts";
import { mapOfAnswers, readClaimMap } from "../../claim-analysis/claim-map.ts";
import { readYaml } from "../support/read-yaml.ts";
import { anyCharacter } from "../support/any-character.ts";

const CASES = readYaml(
  new URL("claim-map.yaml", import.meta.url),
  z.object({
    same: z.array(z.object({ one: z.string(), other: z.string() })),
    apart: z.array(z.object({ one: z.string(), other: z.string() })),
    edgeTypes: z.array(
      z.object({ type: z.string(), expected: ClaimEdgeSchema.omit({ reason: true }).nullable() }),
    ),
    claimTypes: z.array(z.object({ type: z.string(), expected: z.string() })),
  }),
);

type MapperClaim = MapperAnswer["claims"][number];

function claim(id: string, given: Partial<MapperClaim> = {}): MapperClaim {
  return {
    id,
    label: id,
    text: `Text of ${id}`,
    why: "",
    supporters: [1],
    type: "factual",
    stakes: "none",
    ...given,
  };
}

function edge(from: string, type: string, to: string) {
  return { from, to, type, reason: "because" };
}

function makeAnswer(answer: Partial<MapperAnswer>): MapperAnswer {
  return { claims: [], edges: [], gaps: [], ...answer };
}

describe("readClaimMap()", () => {
  test("leaves a sound map as it is", () => {
    const sound = makeAnswer({
      claims: [
        claim("c1", { supporters: [1, 3], type: "conditional" }),
        claim("c2", { supporters: [] }),
      ],
      edges: [edge("c1", "prerequisite", "c2"), edge("c2", "supports", "c1")],
      gaps: ["What it costs"],
    });

    expect(readClaimMap(sound, { answers: 3 })).toEqual({ map: sound, notes: [] });
  });

  test("drops what names nothing, and says how much", () => {
    const { map, notes } = readClaimMap(
      makeAnswer({
        claims: [
          claim("c1", { supporters: [0, 1, 4, -1] }),
          claim("c2", { supporters: [2, 2, 1] }),
          claim("c3", { label: " ", text: "\n" }),
          claim("c4", { type: "poetry", stakes: "boredom" }),
        ],
        edges: [
          edge("c1", "conflicts", "c2"),
          edge("c2", "contradicts", "c1"),
          edge("c1", "admires", "c2"),
          edge("c1", "supports", "c3"),
          edge("c9", "supports", "c1"),
          edge("c2", "supports", "c2"),
        ],
        gaps: ["Cost", " ", "cost?", "Law"],
      }),
      { answers: 3 },
    );

    expect(map).toEqual({
      claims: [claim("c1", { supporters: [1] }), claim("c2", { supporters: [1, 2] }), claim("c4")],
      edges: [edge("c1", "conflicts", "c2")],
      gaps: ["Cost", "Law"],
    });
    expect(notes).toEqual([
      "1 claim without words was dropped",
      "1 claim of an unknown type counts as factual",
      "3 supporters that are no answers were dropped",
      "1 edge of an unknown type was dropped",
      "2 edges to unknown claims were dropped",
      "1 edge of a claim with itself was dropped",
      "1 edge that was said before was dropped",
    ]);
  });

  test("merges claims that say the same in the same words, with supporters and edges", () => {
    const { map, notes } = readClaimMap(
      makeAnswer({
        claims: [
          claim("a", { text: "Don’t wait – the prices rise!", supporters: [2], stakes: "loss" }),
          claim("b", {
            text: "don't  wait, the PRICES\nrise",
            why: "demand",
            supporters: [1, 2],
            stakes: "Harm: to health",
          }),
          claim("c", { text: "Wait" }),
        ],
        edges: [
          edge("b", "conflicts", "c"),
          edge("a", "conflicts", "c"),
          edge("a", "supports", "b"),
        ],
      }),
      { answers: 2 },
    );

    expect(map.claims).toEqual([
      claim("a", {
        text: "Don’t wait – the prices rise!",
        why: "demand",
        supporters: [1, 2],
        stakes: "harm",
      }),
      claim("c", { text: "Wait" }),
    ]);
    expect(map.edges).toEqual([edge("a", "conflicts", "c")]);
    expect(notes).toEqual([
      "1 claim was merged with one that says the same",
      "1 edge of a claim with itself was dropped",
      "1 edge that was said before was dropped",
    ]);
  });

  test.each(CASES.same)("takes $one and $other for one claim", ({ one, other }) => {
    const claims = [claim("a", { text: one }), claim("b", { text: other })];

    expect(readClaimMap(makeAnswer({ claims }), { answers: 1 }).map.claims).toHaveLength(1);
  });

  test.each(CASES.apart)("keeps $one and $other apart", ({ one, other }) => {
    const claims = [claim("a", { text: one }), claim("b", { text: other })];

    expect(readClaimMap(makeAnswer({ claims }), { answers: 1 }).map.claims).toHaveLength(2);
  });

  test("gives claims ids of their own, and edges to the first of a name", () => {
    const { map, notes } = readClaimMap(
      makeAnswer({
        claims: [
          claim("c1"),
          claim("c1", { text: "Another" }),
          claim("c1-2", { text: "A third" }),
          claim(" ", { text: "Nameless" }),
        ],
        edges: [edge("C1", "supports", " c1-2 ")],
      }),
      { answers: 1 },
    );

    expect(map.claims.map(({ id, text }) => [id, text])).toEqual([
      ["c1", "Text of c1"],
      ["c1-3", "Another"],
      ["c1-2", "A third"],
      ["claim-2", "Nameless"],
    ]);
    expect(map.edges).toEqual([edge("c1", "supports", "c1-2")]);
    expect(notes).toEqual(["1 claim had the id of another and got its own"]);
  });

  test("takes the label for a text that is missing, and the beginning of the text for a label", () => {
    const long = "word ".repeat(40).trim();
    const { map } = readClaimMap(
      makeAnswer({ claims: [claim("a", { text: "" }), claim("b", { label: "", text: long })] }),
      { answers: 1 },
    );

    expect(map.claims).toEqual([
      claim("a", { text: "a" }),
      claim("b", { label: `${long.slice(0, 59).trim()}…`, text: long }),
    ]);
  });

  test.each(CASES.edgeTypes)("reads the edge type $type", ({ type, expected }) => {
    const { map } = readClaimMap(
      makeAnswer({ claims: [claim("a"), claim("b")], edges: [edge("a", type, "b")] }),
      { answers: 1 },
    );

    expect(map.edges).toEqual(expected === null ? [] : [{ ...expected, reason: "because" }]);
  });

  test.each(CASES.claimTypes)("reads the claim type $type", ({ type, expected }) => {
    const { map } = readClaimMap(makeAnswer({ claims: [claim("a", { type })] }), { answers: 1 });

    expect(map.claims).toEqual([claim("a", { type: expected })]);
  });

  property.prop([mapperAnswers(), fc.integer({ min: 0, max: 4 })])(
    "makes a map that holds together of any answer, and leaves that map alone",
    (answer, answers) => {
      const { map } = readClaimMap(answer, { answers });
      const ids = map.claims.map(({ id }) => id);

      expect(ClaimMapSchema.parse(JSON.parse(JSON.stringify(map)))).toEqual(map);
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        map.edges.flatMap(({ from, to }) => [from, to]).filter((id) => !ids.includes(id)),
      ).toEqual([]);
      expect(
        map.claims.flatMap(({ supporters }) => supporters).every((it) => it >= 1 && it <= answers),
      ).toBe(true);
      expect(readClaimMap(map, { answers })).toEqual({ map, notes: [] });
    },
  );

  property.prop([mapperAnswers()])("loses no text for being said by few", (answer) => {
    const silent = answer.claims.map((each) => ({ ...each, supporters: [] }));
    const { map } = readClaimMap({ ...answer, claims: silent }, { answers: 4 });
    const { map: fromText } = readClaimMap(answer, { answers: 4 });

    expect(map.claims.map(({ text }) => text)).toEqual(fromText.claims.map(({ text }) => text));
  });
});

describe("mapOfAnswers()", () => {
  test("makes each answer a claim that it supports itself", () => {
    expect(mapOfAnswers(["Sell\n\nnow.", " ", "x".repeat(2_000)])).toEqual({
      claims: [
        claim("c1", { label: "Sell now.", text: "Sell\n\nnow." }),
        claim("c3", {
          label: `${"x".repeat(59)}…`,
          text: `${"x".repeat(599)}…`,
          supporters: [3],
        }),
      ],
      edges: [],
      gaps: [],
    });
  });

  test("makes one claim of answers that say the same", () => {
    expect(mapOfAnswers(["Sell now.", "Wait.", "sell now", "Sell now!"]).claims).toEqual([
      claim("c1", { label: "Sell now.", text: "Sell now.", supporters: [1, 3, 4] }),
      claim("c2", { label: "Wait.", text: "Wait.", supporters: [2] }),
    ]);
  });

  property.prop([fc.array(fc.string({ unit: anyCharacter }))])(
    "gives a sound map for any texts",
    (texts) => {
      const map = mapOfAnswers(texts);

      expect(ClaimMapSchema.parse(map)).toEqual(map);
      expect(map.claims.every(({ text, label }) => text !== "" && label !== "")).toBe(true);
      expect(new Set(map.claims.map(({ text }) => text)).size).toBe(map.claims.length);
    },
  );
});

/** Answers as a careless mapper gives them. */
function mapperAnswers(): fc.Arbitrary<MapperAnswer> {
  const id = fc.constantFrom("c1", "C1", "c2", "c3", " c2", "", "__proto__", "c1-2");
  const text = fc.oneof(
    fc.constantFrom("Wait", "wait!", "Sell", "", " ", "?", "\uD800", "a\0b"),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
  );
  return fc.record({
    claims: fc.array(
      fc.record({
        id,
        label: text,
        text,
        why: text,
        supporters: fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 4 }),
        type: fc.constantFrom("factual", "Fact", "nonsense", "conditional"),
        stakes: fc.constantFrom("harm", "loss", "none", "", "nonsense"),
      }),
      { maxLength: 8 },
    ),
    edges: fc.array(
      fc.record({
        from: id,
        to: id,
        type: fc.constantFrom("supports", "challenges", "requires", "tradeoff", "likes"),
        reason: text,
      }),
      { maxLength: 12 },
    ),
    gaps: fc.array(text, { maxLength: 4 }),
  });
}
