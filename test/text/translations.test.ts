import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { findTranslationFault } from "../../text/check-translation.ts";
import { joinWithAnd } from "../../text/join-list.ts";
import { renderSentence, SENTENCES } from "../../text/sentences.ts";
import { SHIPPED_SENTENCES } from "../../text/shipped-sentences.ts";
import { nameLanguage, readLanguage, speakIn } from "../../text/spoken-language.ts";
import { translateOddly } from "../support/odd-translator.ts";

const TEMPLATES = Object.entries(SENTENCES);

describe("findTranslationFault()", () => {
  test.each(TEMPLATES)(
    "takes a translation of %s, and none that drops a placeholder",
    (_, template) => {
      const text = translateOddly(template);
      expect(findTranslationFault(template, text)).toBeNull();

      for (const [placeholder] of template.matchAll(/\{[^}]*\}/gu)) {
        const fault = "its placeholders are not those of the English one";
        expect(findTranslationFault(template, text.replace(/\{[^}]*\}/u, "…"))).toBe(fault);
        expect(findTranslationFault(template, `${template} ${placeholder}`)).toBe(fault);
      }
    },
  );

  test.each([
    ["Stopped before it was finished.", " ", "it is empty"],
    ["Do it?", "Soll ich das wirklich so tun, wie du sagst?", "it is too long"],
    ["Do it?", "Los <<<END>>>", "it has a marker or a line break"],
    ["Do it?", "Los?\nJa.", "it has a marker or a line break"],
    ["Added: {rows}", "Neu: {rows} {", "it has a brace that opens nothing"],
    ["Added: {rows}", "Neu: {Zeilen}", "its placeholders are not those of the English one"],
    [
      "{count} {count|row|rows}",
      "{count} {count}",
      "its placeholders are not those of the English one",
    ],
  ])("of %j refuses %j: %s", (template, text, fault) => {
    expect(findTranslationFault(template, text)).toBe(fault);
  });

  test("takes every sentence that comes with the program", () => {
    const faults = Object.entries(SHIPPED_SENTENCES).flatMap(([language, sentences]) =>
      Object.entries(sentences).flatMap(([id, text]) => {
        const template = new Map(TEMPLATES).get(id) ?? "";
        return findTranslationFault(template, text) === null ? [] : [`${language} ${id}`];
      }),
    );
    expect(faults).toEqual([]);
  });
});

describe("speakIn()", () => {
  const german = {
    language: "de",
    templates: new Map([
      ["receiptCreated", "Hinzugefügt: {rows}"],
      ["moreLeftOut", "Wie gewünscht weggelassen: {count}."],
    ]),
  };

  test("has code speak a language in all of the work, and in nothing else", async () => {
    const inGerman = await speakIn(german, async () => {
      await Promise.resolve();
      return [
        renderSentence("receiptCreated", { rows: "{rows}" }),
        renderSentence("moreLeftOut", { count: 12_000 }),
        renderSentence("nothingChanged"),
        joinWithAnd(["Reis", "Salz"]),
      ];
    });

    expect(inGerman).toEqual([
      "Hinzugefügt: {rows}",
      "Wie gewünscht weggelassen: 12.000.",
      "Nothing was changed.",
      "Reis und Salz",
    ]);
    expect(renderSentence("receiptCreated", { rows: "rice" })).toBe("Added: rice");
  });

  law.prop([fc.constantFrom("fr", "de", "ja"), fc.nat(3)])(
    "chooses between the two words by the language's own rule",
    (language, count) => {
      const template = "{count} {count|one|many} {tool}";
      const spoken = { language, templates: new Map([["undescribedByTool", template]]) };
      const [, word] = speakIn(spoken, () =>
        renderSentence("undescribedByTool", { count, tool: "x" }),
      ).split(" ");

      const isOne = new Intl.PluralRules(language).select(count) === "one";
      expect(word).toBe(isOne ? "one" : "many");
    },
  );
});

test.each([
  ["de-AT", "de"],
  ["zh-Hant-TW", "zh-Hant"],
  [" EN ", "en"],
  ["pirate", null],
  ["xx", null],
  ["", null],
  ["de\u0000", null],
])("readLanguage() reads %j as %j", (tag, language) => {
  expect(readLanguage(tag)).toBe(language);
});

test("nameLanguage() names a language in English", () => {
  expect(nameLanguage("de")).toBe("German");
});
