import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  claimsChange,
  claimsCompletion,
  claimsPlanChange,
} from "../../output-filter/claimed-change.ts";
import { readYaml } from "../support/read-yaml.ts";

const [honest = [], claims = []] = ["honest-replies.yaml", "claims.yaml"].map((file) =>
  readYaml(new URL(file, import.meta.url), z.array(z.string())),
);

describe("claimsChange()", () => {
  test("finds nothing in replies that claim nothing", () => {
    expect(honest.filter(claimsChange)).toEqual([]);
    expect(honest.filter((reply) => claimsPlanChange(reply, () => true))).toEqual([]);
  });

  test("finds most claims: these alone pass", () => {
    expect(claims.filter((claim) => !claimsChange(claim))).toEqual([
      "I just deleted the old recipe for you.",
      "The chili was moved to Thursday.",
      "Your allergy was recorded.",
    ]);
  });

  test("finds a second deed of the same speaker", () => {
    expect(claimsChange("I have saved a plan and bought eggs.")).toBe(true);
  });

  test.each([
    "I've removed the coffee from your list, is there anything else?",
    "You're welcome! I've cleared your shopping list.",
    "Your pantry has been emptied.",
  ])("finds what stands before a question, or is about all of a place: %s", (text) => {
    expect(claimsChange(text)).toBe(true);
  });

  test.each([
    "Shall I go on, now that the oats have been removed from your list?",
    "So I have saved it?",
    'They say "I have saved it".',
    "I have saved you a walk.",
    "",
  ])("claims nothing: %s", (text) => {
    expect(claimsChange(text)).toBe(false);
  });
});

describe("claimsCompletion()", () => {
  test("finds nothing in replies that claim nothing", () => {
    expect(honest.filter(claimsCompletion)).toEqual([]);
  });

  test.each([
    [true, "Done, I have carried that out for you."],
    [true, "All of it is gone."],
    [true, "Sure! That's all taken care of now."],
    [true, "I've done that as you asked."],
    [false, "That could not be done."],
    [false, "Shall I say when it is done?"],
    [false, "The stew is done in 40 minutes."],
    [false, "It is done after 40 minutes."],
  ])("%s: %s", (isClaim, text) => {
    expect(claimsCompletion(text)).toBe(isClaim);
  });
});
