import { expect, test } from "vitest";
import { forgetsOrder } from "../../nodes/reply/forgotten-orders.ts";

test.each<[string, readonly string[]]>([
  ["add rice and delete the milk", ["rice, 1 kg"]],
  ["add rice, tea and milk to the list", ["rice", "milk"]],
  ["add rice and cheaper milk to the list", ["rice"]],
  ["add green apples and red ones", ["green apples"]],
  ["both of these: add rice, delete the milk", ["rice"]],
  ["Set the rent of Mill Meadow to 60 and mark K-104 as weak.", ["Mill Meadow, rent 60"]],
  ["Please cancel lesson B-12. And move the one of Ada to Friday.", ["B-12, cancelled"]],
  ["Lösche die Milch und setze Reis auf die Liste", ["Reis"]],
  ["borra la leche y añade arroz a la lista", ["arroz"]],
  ["supprime le lait et ajoute du riz à la liste", ["riz"]],
])("forgetsOrder() finds an order of which nothing has come: %s", (message, rows) => {
  expect(forgetsOrder(message, { rows, others: "" })).toBe(true);
});

test.each<[string, readonly string[], string]>([
  ["add rice and delete the milk", ["rice"], "Delete the milk?"],
  ["add rice and delete the milk", ["rice", "milk"], ""],
  ["add spuds and rice to the list", ["potatoes", "rice"], ""],
  ["add rice and vegetables to the list", ["rice", "carrots", "peas"], ""],
  ["add rice", ["noodles"], ""],
  ["add rice and milk", ["Reis"], ""],
  ["add rice, thanks", ["rice"], ""],
  ["plan the risotto for Friday, four people", ["Risotto, Friday"], ""],
  ["put six more eggs in the fridge, picked them up at the market", ["eggs, fridge"], ""],
  ["delete the milk. No wait, keep it. Add rice", ["rice"], ""],
  ["add rice but not the milk", ["rice"], ""],
  ["if you have milk, add rice", ["rice"], ""],
  ["add rice and delete it", ["rice"], ""],
  ["radio mics: make it 4, and cheaper ones, twelve each", ["Radio mic, 4, 12"], ""],
  ["setze Reis auf 3 und billigere", ["Reis, 3"], ""],
  ["swap the two: set rice to 3 and tea to 2", ["rice, 3", "tea, 2"], ""],
])("forgetsOrder() finds none in %s, %j, %j", (message, rows, others) => {
  expect(forgetsOrder(message, { rows, others })).toBe(false);
});
