import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { HandoverPatchSchema, type HandoverPatch } from "../../state/handover-patch.ts";
import type { IntentHandover } from "../../state/handover.ts";
import { strictSchemaProblems, toStrictSchema } from "../../state/strict-schema.ts";
import { applyHandoverPatch } from "../../summaries/patch-handover.ts";
import { INTENT, NO_PATCH } from "../support/concierge-documents.ts";

const LISTS = [
  "keyFindings",
  "tensions",
  "gaps",
  "revealedConstraints",
  "unpromptedReveals",
  "stillUnclear",
] as const;
const LIMITS = { entries: 4, constraints: 6, characters: 40 };

test("HandoverPatchSchema is within the strict subset", () => {
  expect(strictSchemaProblems(toStrictSchema(HandoverPatchSchema))).toEqual([]);
});

describe("applyHandoverPatch()", () => {
  test("adds what is new and replaces what is read anew, and nothing else", () => {
    const patch: HandoverPatch = {
      ...NO_PATCH,
      keyFindings: ["Decided: prepare on Sunday"],
      impliedGoal: "Cook four evenings, Fridays free",
      revealedConstraints: ["Fridays free"],
      resistedFraming: null,
      effectiveStance: "explore",
    };
    expect(applyHandoverPatch(INTENT, patch)).toEqual({
      ...INTENT,
      keyFindings: [...INTENT.keyFindings, "Decided: prepare on Sunday"],
      impliedGoal: "Cook four evenings, Fridays free",
      revealedConstraints: [...INTENT.revealedConstraints, "Fridays free"],
      effectiveStance: "explore",
    });
  });

  test("takes out what no longer holds, however it is spelled, and keeps what replaces it", () => {
    const patch: HandoverPatch = {
      ...NO_PATCH,
      revealedConstraints: ["$2,000 a month"],
      noLongerHolds: ["$1,500  A month.", "whether sunday is free every week"],
    };
    expect(applyHandoverPatch(INTENT, patch)).toEqual({
      ...INTENT,
      revealedConstraints: ["Home after seven", "By the end of January", "$2,000 a month"],
      stillUnclear: [],
    });
  });

  test("says nothing twice", () => {
    const patch: HandoverPatch = {
      ...NO_PATCH,
      tensions: [" cooking ahead saves time, and leftovers are disliked.", "Time against money"],
      gaps: ["Freezer?", "freezer?", ""],
    };
    expect(applyHandoverPatch(INTENT, patch)).toEqual({
      ...INTENT,
      tensions: [...INTENT.tensions, "Time against money"],
      gaps: [...INTENT.gaps, "freezer?"],
    });
  });

  test("an empty text changes nothing", () => {
    const patch: HandoverPatch = {
      ...NO_PATCH,
      impliedGoal: " ",
      acceptedFraming: "",
      resistedFraming: "\n",
    };
    expect(applyHandoverPatch(INTENT, patch)).toEqual(INTENT);
  });

  test("at their limit lists lose their oldest entries", () => {
    const patch: HandoverPatch = { ...NO_PATCH, keyFindings: ["a", "b", "c", "x".repeat(50)] };
    expect(applyHandoverPatch(INTENT, patch, LIMITS).keyFindings).toEqual([
      "a",
      "b",
      "c",
      `${"x".repeat(39)}…`,
    ]);
  });

  const words = fc.array(fc.constantFrom("a", "B", "b.", "c c", "d", "<<<END>>>", ""), {
    maxLength: 8,
  });
  const text = fc.option(fc.constantFrom("", "new", " spaced  out "), { nil: null });
  const anyPatch: fc.Arbitrary<HandoverPatch> = fc.record({
    keyFindings: words,
    tensions: words,
    gaps: words,
    impliedGoal: text,
    revealedConstraints: words,
    acceptedFraming: text,
    resistedFraming: text,
    unpromptedReveals: words,
    stillUnclear: words,
    effectiveStance: fc.option(fc.constantFrom("explore" as const, "challenge" as const), {
      nil: null,
    }),
    noLongerHolds: words,
  });
  const anyHandover: fc.Arbitrary<IntentHandover> = fc
    .array(anyPatch, { maxLength: 3 })
    .map((patches) =>
      patches.reduce<IntentHandover>((kept, patch) => applyHandoverPatch(kept, patch, LIMITS), {
        ...INTENT,
      }),
    );

  law.prop([anyHandover])("nothing new leaves a handover as it is", (handover) => {
    expect(applyHandoverPatch(handover, NO_PATCH, LIMITS)).toEqual(handover);
  });

  law.prop([anyHandover, anyPatch])(
    "what opened the journey and the goal stay",
    (handover, patch) => {
      const patched = applyHandoverPatch(handover, patch, LIMITS);
      const { shape, userQuery, starterResponse, userReply } = patched;
      expect({ shape, userQuery, starterResponse, userReply }).toEqual({
        shape: INTENT.shape,
        userQuery: INTENT.userQuery,
        starterResponse: INTENT.starterResponse,
        userReply: INTENT.userReply,
      });
      expect(patched.impliedGoal).not.toBe("");
    },
  );

  law.prop([anyHandover, anyPatch])(
    "lists stay bounded, and each entry one line",
    (handover, patch) => {
      const patched = applyHandoverPatch(handover, patch, LIMITS);
      const over = LISTS.filter((field) => {
        const most = field === "revealedConstraints" ? LIMITS.constraints : LIMITS.entries;
        return patched[field].length > most || patched[field].some((entry) => entry.trim() === "");
      });
      expect(over).toEqual([]);
    },
  );

  law.prop([anyHandover, anyPatch])(
    "what nobody withdrew stays, in its order",
    (handover, patch) => {
      const roomy = { entries: 100, constraints: 100, characters: 100 };
      const patched = applyHandoverPatch(handover, { ...patch, noLongerHolds: [] }, roomy);
      for (const field of LISTS) {
        expect(patched[field].slice(0, handover[field].length)).toEqual(handover[field]);
      }
    },
  );

  law.prop([anyHandover, anyPatch])("the same patch twice is the patch once", (handover, patch) => {
    const roomy = { entries: 100, constraints: 100, characters: 100 };
    const lasting = { ...patch, noLongerHolds: [] };
    const once = applyHandoverPatch(handover, lasting, roomy);
    expect(applyHandoverPatch(once, lasting, roomy)).toEqual(once);
  });
});
