import { expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { mealsDomain } from "../../meals/index.ts";
import { openConversation } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { freshKitchen } from "../support/fresh-kitchen.ts";

const database = await testDatabase();
const { models } = await openModels({ kind: "simulated" });

const DISHES = [
  "Chickpea Curry",
  "Mushroom Risotto",
  "French Toast",
  "Sticky Chicken Wings",
  "Egg Fried Rice",
  "Black Bean Chili",
];

/** A conversation that knows what is in the kitchen, and has shown the dishes last. */
async function talkOfDishes() {
  const run = await freshKitchen(database);
  const thread = openConversation({ database, models, domain: mealsDomain }, run);
  const listed = async (): Promise<string[]> => {
    const { entries, listed: refs } = (await thread.state()).registry;
    return refs.map((ref) => entries.find((entry) => entry.ref === ref)?.label ?? "");
  };
  await thread.send("what's in the fridge, the pantry and the freezer?");
  await thread.send("what could I cook this week?");
  await thread.send("no cod please");
  expect(await listed()).toEqual(DISHES);
  return { run, thread, listed };
}

test("a notice of what has changed meanwhile leaves the list that was shown last", async () => {
  const { run, thread, listed } = await talkOfDishes();
  await database.owner.query(
    "update recipes set prep_minutes = 100 where user_id = $1 and name = 'Egg Fried Rice'",
    [run.userId],
  );

  const noticed = await thread.send("hello");
  expect(noticed.reply).toMatch(
    /^Changed meanwhile: Egg Fried Rice was changed: eggs, rice, peas, 110 min\n/u,
  );
  expect(await listed()).toEqual(DISHES);

  expect((await thread.send("delete the second one")).reply).toContain(
    "“remove Mushroom Risotto from the recipes”",
  );
});

test("a choice that goes on after such a notice shows the things of the choice alone", async () => {
  const { run, thread, listed } = await talkOfDishes();
  await database.owner.query(
    "update recipes set prep_minutes = 100 where user_id = $1 and name = 'Egg Fried Rice'",
    [run.userId],
  );
  await thread.send("hello");

  const { reply } = await thread.send("not the wings");

  expect(reply.split("\n").filter((line) => /^(?:\d+\.|-|\*\*) ?/u.test(line))).toEqual([
    "1. Chickpea Curry (35 min)",
    "2. Mushroom Risotto (40 min)",
    "3. French Toast (15 min)",
    "4. Egg Fried Rice (110 min)",
    "5. Black Bean Chili (50 min)",
  ]);
  expect(await listed()).toEqual(DISHES.filter((dish) => dish !== "Sticky Chicken Wings"));
});

test("a question before a change leaves the list that was shown last", async () => {
  const { thread, listed } = await talkOfDishes();

  const asked = await thread.send("remove all recipes");
  expect(asked.reply).toMatch(
    /^This deletes 9 recipes: .* \(bread, eggs, milk, 15 min\), .* Do it\?$/u,
  );
  expect(await listed()).toEqual(DISHES);

  await thread.send("no");
  expect(await listed()).toEqual(DISHES);
  expect((await thread.send("delete the second one")).reply).toContain(
    "“remove Mushroom Risotto from the recipes”",
  );
});
