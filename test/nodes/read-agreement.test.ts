import { expect, test } from "vitest";
import { readAgreement, type Agreement } from "../../nodes/read-agreement.ts";

const LINES = {
  text: "This deletes 3 shopping list lines: oat milk, coffee, kitchen roll. Do it?",
  nouns: ["shopping list line", "shopping list lines"],
};
const ORDER = {
  text: "This deletes 1 order: order 1042 (2 lamps, 80.00). Do it?",
  nouns: ["order", "orders"],
};

test.each<[Agreement, string]>([
  ["agrees", "yes please, we don't need them any more"],
  ["agrees", "oh yes, go ahead and delete all three!"],
  ["agrees", "that sounds great, my kids will be glad"],
  ["agrees", "delete them, thanks"],
  ["agrees", "mach das ruhig, die brauchen wir nicht mehr"],
  ["agrees", "sì, cancellale tutte e tre"],
  ["agrees", "elimínalo, por favor"],
  ["more", "yes, and add a soup"],
  ["more", "supprime les pommes"],
  ["adjusts", "yes please, delete 2 of them"],
  ["unclear", "yes, the coffee"],
  ["unclear", "yes, but not the coffee"],
  ["unclear", "go ahead and keep the coffee"],
  ["unclear", "yes later"],
  ["unclear", "sure, tomorrow"],
  ["unclear", "yes, next week"],
  ["unclear", "ja, am Freitag"],
  ["unclear", "oui, la semaine prochaine"],
  ["agrees", "yes, we go to the shop tomorrow"],
  ["unclear", "ok, let me think about it"],
  ["unclear", "ok so what is for dinner"],
  ["unclear", "sure, which ones are those?"],
  ["unclear", "no more questions, just delete them"],
  ["unclear", "the weather is nice today"],
  ["unclear", "nice coffee"],
  ["unclear", "I'm not happy with that"],
  ["unclear", "sure, my zip code is 90210"],
  ["unclear", "yes, it is ada@example.org"],
  ["unclear", "many thanks"],
  ["unclear", "ok 👎"],
  ["unclear", "ja, maar niet nu"],
  ["unclear", "I had pizza for lunch"],
  ["unclear", "I'm good"],
  ["unclear", "yeah right"],
  ["unclear", "yes, that would be a mistake"],
  ["unclear", "sure, over my dead body"],
  ["unclear", "yes I am sure I do not want that"],
  ["unclear", "oops"],
  ["unclear", "untersteh dich"],
  ["unclear", "ni hablar"],
  ["unclear", "lasciamo perdere"],
  ["unclear", "tant pis"],
  ["agrees", "yes, they were added by mistake"],
  ["unknown", "そうしてください"],
  ["agrees", "👍🏽"],
  ["unclear", "👍 👎"],
])("readAgreement(): %s, in %j", (agreement, message) => {
  expect(readAgreement(message, LINES)).toBe(agreement);
});

test("readAgreement() lets a yes repeat the day of the question", () => {
  const question = {
    text: "This changes 1 meal: Soup (Thu 15 Jan → Fri 16 Jan). Do it?",
    nouns: ["meal"],
  };

  expect(readAgreement("yes, on Friday", question)).toBe("agrees");
  expect(readAgreement("yes, on Sunday", question)).toBe("unclear");
});

test("readAgreement() lets a question about one thing be answered with a part of its name, and no other number", () => {
  expect(readAgreement("yes, I never want to see such lights again", ORDER)).toBe("agrees");
  expect(readAgreement("yes, that is order 1042", ORDER)).toBe("agrees");
  expect(readAgreement("yes, that is order 1043", ORDER)).toBe("unclear");
});
