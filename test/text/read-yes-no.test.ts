import { expect, test } from "vitest";
import {
  asksForNothing,
  onlyAcknowledges,
  onlyAgrees,
  readPersonsAnswer,
  readYesNo,
} from "../../text/read-yes-no.ts";

test.each([
  ["yes", "yes"],
  [" Yes, please! ", "yes"],
  ["OK.", "yes"],
  ["ok, do it", "yes"],
  ["go on", "yes"],
  ["sure, why not?", "yes"],
  ["No problem, go ahead", "yes"],
  ["Ja, bitte", "yes"],
  ["¡Sí, claro!", "yes"],
  ["D'accord, vas-y", "yes"],
  ["sì, certo", "yes"],
  ["ja, doe maar", "yes"],
  ["Sim, por favor", "yes"],
  ["No, thank you", "no"],
  ["don't", "no"],
  ["no, no, stop!", "no"],
  ["no thanks, leave it", "no"],
  ["Nein, danke", "no"],
  ["No, gracias", "no"],
  ["Non, laisse tomber", "no"],
  ["lascia stare", "no"],
  ["nee, niet doen", "no"],
  ["não, obrigado", "no"],
  ["ok, forget it", "no"],
  ["gut, lass es", "no"],
  ["sure, no problem", "yes"],
  ["yes?", null],
  ["why not?", null],
  ["thanks", null],
  ["yes, but only the curry", null],
  ["no, do it", null],
  ["no fish", null],
  ["Yes, please proceed. Thank you for your help.", null],
  ["yes, see you tomorrow", null],
  ["what?", null],
  ["", null],
])("readYesNo() reads %j as %j", (message, expected) => {
  expect(readYesNo(message)).toBe(expected);
});

test.each([
  ["yes", "yes"],
  ["nein", "no"],
  ["what would that cost?", "asks"],
  ["which ones are those", "asks"],
  ["¿Cuáles son?", "asks"],
  ["Oh. Really? And the milk?", null],
  ["why not?", "asks"],
  ["yes?", "asks"],
  ["no, do it", "doubtful"],
  ["no more questions, just delete them", "doubtful"],
  ["yes, but not the milk", "doubtful"],
  ["Ja, aber ohne die Milch", "doubtful"],
  ["oui, sauf le lait", "doubtful"],
  ["I would rather keep them", "doubtful"],
  ["delete them, I want the space", null],
  ["that's right, all of them", null],
  ["save it", null],
  ["はい", "yes"],
  ["не надо", "no"],
  ["やめて", "no"],
  ["", null],
])("readPersonsAnswer() reads %j as %j", (message, expected) => {
  expect(readPersonsAnswer(message)).toBe(expected);
});

test.each([
  ["ok", true],
  ["okay, thanks!", true],
  ["va bene", true],
  ["yes", false],
  ["ok, do it", false],
  ["I see", false],
])("onlyAcknowledges() says of %j: %j", (message, expected) => {
  expect(onlyAcknowledges(message)).toBe(expected);
});

test.each<[string, boolean, boolean]>([
  ["great, thanks", true, true],
  ["ok great, let's go", true, true],
  ["thanks", true, false],
  ["Thanks, that is all!", true, false],
  ["great, see you tomorrow", true, false],
  ["super, bis morgen", true, false],
  ["great, add milk", false, false],
  ["see you, and add milk", false, false],
])("%s: asks for nothing %s, only agrees %s", (message, isEmpty, isYes) => {
  expect([asksForNothing(message), onlyAgrees(message)]).toEqual([isEmpty, isYes]);
});
