import { expect, test } from "vitest";
import { countUndoWords } from "../../text/count-undo-words.ts";

test.each([
  ["undo that", 1],
  ["Take that back!", 1],
  ["mach das rückgängig", 1],
  ["¡Deshazlo!", 1],
  ["annule ça", 1],
  ["maak het ongedaan", 1],
  ["undo the undo", 2],
  ["redo", 2],
  ["put it back the way it was", 1],
  ["geri al", 1],
  ["撤销", 1],
  ["thanks", 0],
  ["I'll get back to you tomorrow", 0],
  ["we'll put the shopping bags back in the car", 0],
  ["put everything on hold until we're back from Spain", 0],
  ["thanks, I'll be back later", 0],
  ["put the backpack on my list", 0],
  ["", 0],
])("countUndoWords() counts in %j %i", (message, count) => {
  expect(countUndoWords(message)).toBe(count);
});
