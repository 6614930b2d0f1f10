import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readAskedParts } from "../../output-filter/read-asked-parts.ts";
import { foldWords } from "../../text/fold-words.ts";

test.each<[string, string]>([
  ["Ben must stay. Delete Kim.", "Delete Kim."],
  ["delete everyone but Ben", "delete everyone"],
  ["delete all of them except Ben, Kim and Eve", "delete all of them"],
  ["if Kim does not pay, delete him", ""],
  ["before you delete Kim, show me his number", ""],
  ["remove Kim? No way!", "No way!"],
  ["Kim must not be removed", ""],
  ["cancel the deletion of Kim", ""],
  ["leave Kim alone", ""],
  ["remind me to delete Kim", ""],
  ["my colleague wants to delete Kim", ""],
  ["don't delete Kim, delete Ben", "delete Ben"],
  ["delete Kim. No wait, keep him.", "No wait,"],
  ["no, not Ben. Delete Kim", "no, Delete Kim"],
  ["lösche Kim auf keinen Fall", ""],
  ["Lösche Kim, aber nicht Ben", "Lösche Kim,"],
  ["Behalte Ben und lösche Kim", "und lösche Kim"],
  ["no borres a Kim", ""],
  ["supprime Kim mais pas Ben", "supprime Kim"],
  ["ne supprime pas Kim", ""],
  ["cancella Kim, non Ben", "cancella Kim,"],
  ["verwijder Kim maar niet Ben", "verwijder Kim"],
  ["apaga o Kim, mas não o Ben", "apaga o Kim,"],
])("readAskedParts() leaves of %j for a deletion only %j", (message, asked) => {
  expect(squeeze(readAskedParts(message, "gone").asked)).toBe(asked);
});

test.each([
  "Delete Kim, no need to keep him",
  "delete Kim, we don't need him",
  "Delete Kim, not using him",
  "delete Kim, don't keep him",
])("readAskedParts() takes the reason in %j for none against it", (message) => {
  expect(readAskedParts(message, "gone").ordered).toContain("elete Kim,");
});

test.each(["delete Kim. No, keep him", "delete Kim. no we still need him", "delete Kim. don't"])(
  "readAskedParts() takes an order back in %j",
  (message) => {
    expect(readAskedParts(message, "gone").ordered).toBe("");
  },
);

test.each<[string, string]>([
  ["never change the phone of Kim", ""],
  ["don't add Kim yet", ""],
  ["add Ben but not Kim", "add Ben"],
  ["Kim bitte noch nicht anlegen", ""],
  ["no wait, saturday", "saturday"],
  ["zet Kim als therapeut", "zet Kim als therapeut"],
  ["no, not friday, saturday", "no, saturday"],
  [
    "add all items but refund each of the orders to the card that I paid them with",
    "add all items but refund each of the orders to the card that I paid them with",
  ],
  [
    "I have an old one, but it does not work, change it",
    "I have an old one, but it does not work, change it",
  ],
  ["do not undo that", ""],
  ["no need to take it back", ""],
  ["mach das nicht rückgängig", ""],
  ["don't delete Kim, change his phone", "don't delete Kim, change his phone"],
  ["never mind Ben, pause Kim", "pause Kim"],
  ["Kim was here this morning", ""],
  ["I'll move Kim myself next week", ""],
  ["thanks for pausing Kim", ""],
  ["maybe we pause Kim some day", ""],
  ["the clerk said 'pause Kim'", ""],
  ["if Kim agrees, he will get room 3", ""],
  ["Den Termin von Kim verlege ich selbst", ""],
  ["tal vez pausamos a Kim", ""],
  ["Pause Kim... sorry, wrong name, leave it", "leave it"],
  ["Set Ben to room 2. Kim was there before", "Set Ben to room 2."],
  ["Kim had room 2 so far. Set it to 3", "Kim had room 2 so far. Set it to 3"],
  ["I would like Kim on pause", "I would like Kim on pause"],
])("readAskedParts() leaves of %j for other changes only %j", (message, asked) => {
  expect(squeeze(readAskedParts(message, "there").asked)).toBe(asked);
});

test.each([
  "Kim can't come any more, delete him",
  "don't forget to delete Kim",
  "don't need Kim",
  "I won't be home, so cancel Kim",
  "set the note of Kim to no nuts",
  "before I forget, delete Kim",
  "delete Kim, if you don't mind",
  "could you delete Kim, Ben and Eve?",
  "show me Ben and delete Kim",
  "is Kim still here? Delete him.",
  "you can delete Kim, he is no longer a patient",
  "Kim can be deleted",
  "Kim kann gelöscht werden",
  "Kim kommt nicht mehr, also lösche ihn",
  "ya no viene, así que elimina a Kim",
  "delete him, won't you?",
  "ya no viene, elimínalo cuando puedas",
  "apaga o Kim, já não é nosso paciente",
  "kim, 削除して",
  "",
])("readAskedParts() leaves nothing out of %j", (message) => {
  expect(readAskedParts(message, "gone").asked).toBe(message);
  expect(readAskedParts(message, "there").asked).toBe(message);
});

test.each<[string, string]>([
  ["show me Ben and delete Kim", "and delete Kim"],
  ["Delete Kim because Ben called", "Delete Kim"],
  ["could you delete Kim, Ben and Eve?", "could you delete Kim, Ben and Eve?"],
  ["Kim can't come, delete him", "delete him"],
  ["Kim left", ""],
])("readAskedParts() finds in %j the order %j", (message, ordered) => {
  expect(squeeze(readAskedParts(message, "gone").ordered)).toBe(ordered);
});

test("readAskedParts() only leaves words out, whatever a message denies", () => {
  const words = "delete add Kim Ben not no don't keep but and if , . ? nicht lösche ne pas".split(
    " ",
  );
  const messages = fc
    .array(fc.constantFrom(...words), { maxLength: 12 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(messages, fc.constantFrom("gone" as const, "there" as const), (message, end) => {
      const { asked, ordered } = readAskedParts(message, end);
      expect(isWithin(asked, message)).toBe(true);
      expect(isWithin(ordered, asked)).toBe(true);
    }),
  );
});

/** Returns true where the words of a part stand in a whole in their order. */
function isWithin(part: string, whole: string): boolean {
  const left = [...foldWords(whole)];
  return foldWords(part).every((word) => {
    const at = left.indexOf(word);
    left.splice(0, at + 1);
    return at !== -1;
  });
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
