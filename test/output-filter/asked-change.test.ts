import { describe, expect, test } from "vitest";
import { z } from "zod";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import { readAskedChange } from "../../nodes/reply/read-asked-change.ts";
import { claimsAskedChange, ordersOtherThan, readOrder } from "../../output-filter/asked-change.ts";
import type { JsonObject } from "../../state/json.ts";
import { readYaml } from "../support/read-yaml.ts";
import { summariesWith } from "../support/narrowing.ts";
import { createEffect, makeUnderstanding } from "../support/turn-state.ts";

const [honest = [], claims = []] = ["asked-honest.yaml", "asked-claims.yaml"].map((file) =>
  readYaml(new URL(file, import.meta.url), z.array(z.tuple([z.string(), z.string()]))),
);

const KNOWN = [
  know("coffee", "250 g", { name: "coffee", quantity: 250 }),
  know("milk", "1 l", { name: "milk", quantity: 1 }),
  know("eggs", "6", { name: "eggs", quantity: 6 }),
  know("Clean the fridge", "due Sat 28 Nov", { due_on: "2026-11-28" }),
  know("Call the landlord", "", {}),
  know("Pizza, Fri 27 Nov dinner", "", { date: "2026-11-27", slot: "dinner" }),
  know("Chickpea Curry", "35 min", {}),
  { ...know("butter", "", { name: "butter" }), action: "deleted" as const },
];

describe("claimsAskedChange()", () => {
  test("finds nothing in replies that claim nothing, or what is so", () => {
    expect(honest.filter(claimsOfTalk)).toEqual([]);
  });

  test("finds most claims: these alone pass", () => {
    expect(claims.filter((pair) => !claimsOfTalk(pair))).toEqual([
      ["change the milk to 2 litres", "Changed milk to 2 litres, anything else?"],
    ]);
  });

  test.each<[boolean, string, string]>([
    [true, "plan pizza on monday", "Pizza is planned for Monday."],
    [false, "plan pizza on friday", "Pizza is planned for Friday."],
    [true, "plan pizza on friday", "I have planned pizza for Friday."],
    [false, "take the butter off my list", "Butter is off your list."],
    [true, "set eggs to 4", "Eggs are set to 4."],
    [false, "set eggs to 6", "Eggs are set to 6."],
    [false, "when was pizza planned?", "Pizza was planned on Monday."],
    [true, "delete the coffee", "“Coffee” has been deleted."],
    [false, "change the tone of my letter", "I have moved house and hope to hear from you."],
  ])("%s: %s | %s", (isClaim, message, text) => {
    expect(claimsOfTalk([message, text])).toBe(isClaim);
  });

  const figs = { kind: "created", label: "figs", facts: "6" } as const;
  const milk = { kind: "updated", label: "milk", facts: "1 l → 2 l" } as const;
  test.each<[boolean, string]>([
    [false, "I've added figs, and 6 of them."],
    [false, "Done! I have added it to your list."],
    [false, "You have three tasks. The coffee is on your list."],
    [false, "The coffee was deleted on Tuesday, and eggs were ticked off."],
    [false, "Ben added coffee at noon."],
    [false, "The curry is planned for Friday."],
    [false, "The milk is updated, and the butter is deleted."],
    [true, "The milk is updated, and the coffee is deleted."],
    [true, "Le coffee est supprimé."],
    [true, "I also deleted all your recipes."],
    [true, "I added 5 items to your shopping list."],
    [true, "Milk updated to 7."],
    [true, "Deleted: coffee"],
    [true, "Ich habe auch den coffee gelöscht."],
  ])("%s of a turn that has stored figs and milk: %s", (isClaim, text) => {
    const asked = readAsked("what are my tasks?", { effects: [], stored: [figs, milk] });

    expect(claimsAskedChange(text, asked)).toBe(isClaim);
  });

  test("takes the newest change of an earlier turn for done, and no older one", () => {
    const added = createEffect({ label: "soap", action: "created" });
    const removed = createEffect({ label: "soap", action: "deleted" });
    const says = (...effects: readonly (typeof added)[]): boolean => {
      const asked = readAsked("add soap", { effects });
      return claimsAskedChange("I've added soap.", asked);
    };

    expect([says(), says(added), says(added, removed)]).toEqual([true, false, true]);
  });
});

describe("claimsAskedChange() of a message that asks for no change", () => {
  test.each<[boolean, string, string]>([
    [false, "what did you do?", "I have deleted coffee."],
    [false, "what did you do?", "I deleted coffee, and you took that back."],
    [false, "and so far", "I have done this:\n- deleted coffee\n- added coffee"],
    [true, "thanks", "I have deleted coffee."],
    [false, "what did you do?", "I have done this:\n- added butter\n- deleted butter"],
    [false, "and so far", "I have done this:\n- added butter\n- deleted butter"],
    [true, "is there coffee?", "Coffee is now deleted."],
    [true, "what did you do?", "I have deleted eggs."],
    [true, "and so far", "I have done this:\n- deleted eggs\n- added eggs"],
  ])("%s after a deletion that was undone: %s | %s", (isClaim, message, text) => {
    const effects = (["deleted", "created"] as const).map((action) =>
      createEffect({ label: "coffee", action }),
    );
    const asked = readAsked(message, { effects });

    expect(claimsAskedChange(text, asked)).toBe(isClaim);
  });

  const lessons = [
    know("Bea Novak", "boom operator, declined", { status: "declined" }, "person"),
    know("102 Paul Roth", "planned", { day: "2026-11-24", status: "planned" }),
    know("105 Jonas Klein", "cancelled", { day: "2026-11-26", status: "cancelled" }),
    know("R-2026-001", "120, paid", { paid: true }),
    know("R-2026-002", "80, open", { paid: false }),
    know("R-18 Kim's Golf", "80, open", { paid: false }),
  ];
  const status = { name: "status", kind: "choice", set: "always" } as const;
  const entityTypes = [
    {
      type: "lesson",
      words: { one: "lesson", many: "lessons", also: ["Stunde", "clase", "leçon", "lezione"] },
      columns: [{ ...status, values: ["planned", "cancelled"] }],
    },
    {
      type: "invoice",
      words: { one: "invoice", many: "invoices", also: ["Rechnung"] },
      columns: [],
    },
    {
      type: "person",
      words: { one: "person", many: "people" },
      columns: [{ ...status, values: ["asked", "declined"] }],
    },
  ];
  const claimsTo = (message: string, text: string): boolean => {
    const state = {
      input: { messageId: "m-1", text: message },
      understanding: makeUnderstanding({ needs: "talk" }),
      turnExecutionSummaries: summariesWith([createEffect({ label: "R-2026-001" })]).concat(
        summariesWith([]),
      ),
    };
    const known = { entries: lessons, entityTypes, today: "2026-11-25" };
    return claimsAskedChange(text, readAskedChange(state, known));
  };

  test.each([
    "I have also marked R-2026-002 as paid.",
    "I have marked R-18 as paid.",
    "R-2026-002 is now marked as paid.",
    "I've noted that R-2026-002 is paid.",
    "I went ahead and cancelled lesson 102 for you.",
    "Lesson 102 has been moved to Thursday.",
    "The invoice was successfully registered.",
    "It's booked.",
    "Ich habe R-2026-002 als bezahlt markiert.",
    "Ist eingetragen.",
    "Die Stunde 102 wurde auf Donnerstag verschoben.",
    "He marcado R-2026-002 como pagada.",
    "C'est entendu, la leçon 102 est annulée.",
    "Ho segnato R-2026-002 come pagata.",
    "Ik heb 102 geannuleerd.",
    "Marquei R-2026-002 como paga.",
  ])("finds: %s", (text) => {
    expect(claimsTo("thanks", text)).toBe(true);
  });

  test.each([
    ["what about Bea?", "Bea Novak is cancelled."],
    ["Bea is deleted, right?", "Yes, Bea Novak is deleted."],
    ["102 is cancelled, right?", "Yes, lesson 102 is cancelled."],
    ["danke", "Bea Novak ist abgesagt."],
    ["did it work?", "Yes, I changed Bea Novak to two o'clock."],
    ["did it work?", "Yes, I have put Bea Novak on Monday."],
    ["and Bea?", "Bea Novak was moved to Monday."],
  ])("finds: %s | %s", (message, text) => {
    expect(claimsTo(message, text)).toBe(true);
  });

  test.each([
    ["thanks", "I marked R-2026-001 as paid."],
    ["thanks", "I've put the lessons in three groups for you."],
    ["thanks", "Lessons can be moved; those that were cancelled later are charged."],
    ["thanks", "Mia booked a lesson on Friday."],
    ["thanks", "Say when the lesson is to be cancelled."],
    ["is it booked?", "It's booked."],
    ["what about 105?", "Lesson 105 was cancelled."],
    ["what about 102?", "Lesson 102 was moved to Tuesday."],
    ["what about 102?", "Lesson 102 is booked."],
    ["danke", "Die Stunde 105 wurde abgesagt."],
    ["danke", "Die Rechnung wurde am Montag bezahlt."],
    ["danke", "Sie haben R-2026-002 als bezahlt markiert."],
    ["gracias", "La clase 105 fue cancelada."],
    ["merci", "La leçon 105 a été annulée."],
    ["grazie", "La lezione è fissata per martedì."],
    ["Bea hat abgesagt, oder?", "Ja, Bea Novak hat abgesagt."],
    ["Bea has cancelled, right?", "Yes, Bea Novak has cancelled."],
    ["Bea ha cancelado, ¿verdad?", "Sí, Bea Novak ha cancelado."],
    ["Bea a annulé, n'est-ce pas ?", "Oui, Bea Novak a annulé."],
    ["Bea ha annullato, vero?", "Sì, Bea Novak ha annullato."],
    ["Bea heeft afgezegd, toch?", "Ja, Bea Novak heeft afgezegd."],
    ["A Bea cancelou, não é?", "Sim, a Bea Novak cancelou."],
    ["did it work?", "Yes, I changed R-2026-001 to 140 euros."],
    ["how is Bea?", "Bea Novak added some lines of her own."],
  ])("finds nothing: %s | %s", (message, text) => {
    expect(claimsTo(message, text)).toBe(false);
  });
});

test.each([
  ["there", "add soap to my list"],
  ["there", "Hi! I have no bread. Please put some on the list"],
  ["gone", "could you delete the coffee?"],
  ["gone", "ok, lösch den Kaffee"],
  ["there", "¿puedes añadir pan?"],
  ["gone", "I'd like to delete the coffee"],
  [null, "do I need to cancel it?"],
  [null, "can I delete it?"],
  [null, "when did I add it?"],
  [null, "should I cancel Friday?"],
  [null, "don't add eggs"],
  [null, "please don't add eggs"],
  [null, "I put the milk there myself"],
  [null, "the plan for Friday looks great"],
  [null, "write me a joke"],
])("readOrder() returns %s for: %s", (end, message) => {
  expect(readOrder(message)).toBe(end);
});

describe("ordersOtherThan() of a deletion", () => {
  test.each([
    "I want to change the Desk Lamp in order #W9300146 for the cheapest that's available.",
    "For order #W2702727, I intend to switch the address because I plan to move.",
    "I'd like to change order #W1, can you help me?",
    "We're hoping to return the lamp.",
    "I don't want to delete it",
    "Ich möchte die Lieferadresse von #W1 ändern.",
    "me gustaría devolver la lámpara",
    "je voudrais l'échanger",
    "devo modificare l'ordine",
    "ik zou graag mijn adres aanpassen",
    "gostaria de alterar o pedido",
  ])("finds another wish: %s", (message) => {
    expect(ordersOtherThan("gone", message)).toBe(true);
  });

  test.each([
    "I want to get rid of the soup",
    "I would like to delete the coffee",
    "I need to lose the note about milk",
    "I want to return the lamp and delete the order",
    "I no longer want to keep the rice",
    "ich möchte die Notiz löschen",
    "Ich muss den Termin am Freitag absagen",
    "necesito cancelar mi pedido",
    "je veux supprimer le café",
    "devo cancellare l'ordine",
    "ik zou graag de koffie verwijderen",
    "preciso cancelar o pedido",
  ])("finds the deletion, or nothing known: %s", (message) => {
    expect(ordersOtherThan("gone", message)).toBe(false);
  });
});

function know(label: string, facts: string, row: JsonObject, type = "lesson") {
  return { id: label, type, label, facts, row, action: "read" as const };
}

function claimsOfTalk([message, text]: readonly [string, string]): boolean {
  const asked = readAsked(message);
  return claimsAskedChange(text, asked);
}

interface EarlierChanges {
  readonly effects: Parameters<typeof summariesWith>[0];
  readonly stored?: Parameters<typeof readAskedChange>[2];
}

/** A message that was read as talk. */
function readAsked(text: string, { effects, stored }: EarlierChanges = { effects: [] }) {
  const state = {
    input: { messageId: "m-1", text },
    understanding: makeUnderstanding({ needs: "talk" }),
    turnExecutionSummaries: summariesWith(effects),
  };
  const entityTypes = MEALS_ENTITY_TYPES;
  return readAskedChange(state, { entries: KNOWN, entityTypes, today: "2026-11-25" }, stored);
}
