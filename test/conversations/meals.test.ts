import { describe, expect, test } from "vitest";
import { converse, isSimulated } from "../support/converse.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();

const LEFT = ["Chickpea Curry", "Mushroom Risotto", "Egg Fried Rice", "Black Bean Chili"];

describe("choosing dishes", () => {
  test("converse() narrows nine recipes to four, and reads them once", async () => {
    await converse(database, async ({ say }) => {
      const options = await say("can you help me plan some meals?");
      const cod = await say("lets not do cod this week?");
      const toast = await say("lets not do the french toast? i also dont feel like doing wings");

      expect(options.lane).toBe("task");
      expect(options.reads.toSorted()).toEqual(["inventory", "recipes"]);
      expect([cod.reads, toast.reads]).toEqual([[], []]);
      // Fisherman's Stew goes too: it has cod among its facts and not in its name.
      expect(cod.excluded).toEqual(["Cod Tacos", "Fisherman's Stew", "Lemon Butter Cod"]);
      expect(toast.excluded).toEqual(
        [...cod.excluded, "French Toast", "Sticky Chicken Wings"].toSorted(),
      );
      expect(toast.prompts("reply").join()).toMatch(/## Choices[^#]* 4 left /u);
      expect(toast.prompts("reply").join()).toContain("## Conversation Flow");
      expect([options, cod, toast].flatMap(({ changes }) => changes)).toEqual([]);
      const reply = toast.replies.join();
      expect(LEFT.filter((dish) => !reply.includes(dish))).toEqual([]);
      expect(reply).not.toMatch(/\bcod\b/iu);
    });
  });

  test("converse() brings an excluded dish back without reading it again", async () => {
    await converse(database, async ({ say }) => {
      await say("what could I cook this week?");
      const without = await say("not the wings");
      const restored = await say("actually the wings are fine after all");

      expect(without.excluded).toEqual(["Sticky Chicken Wings"]);
      expect([restored.excluded, restored.reads]).toEqual([[], []]);
    });
  });

  test("converse() saves a proposed plan once, after a yes", async () => {
    await converse(database, async ({ say }) => {
      await say("what could I cook?");
      const proposed = await say("plan 3 dinners");
      const saved = await say("save it");
      const again = await say("save it");

      expect(proposed.changes).toEqual([]);
      expect(saved.changes).toHaveLength(3);
      expect(saved.changes.filter((change) => !change.startsWith("created meal_plans "))).toEqual(
        [],
      );
      expect(again.changes).toEqual([]);
    });
  });
});

describe("looking", () => {
  test("converse() shows the fridge without asking Think", async () => {
    await converse(database, async ({ say, rows }) => {
      const fridge = await say("what's in my fridge?");

      expect([fridge.reads, fridge.changes]).toEqual([["inventory"], []]);
      expect(fridge.prompts("think")).toEqual([]);
      expect(fridge.replies.join()).toContain("eggs");
      expect(await rows("inventory")).toContain("eggs");
    });
  });
});

describe("the shopping list", () => {
  test("converse() adds, marks as bought, removes and clears what was named", async () => {
    await converse(database, async ({ say, rows }) => {
      const added = await say("add 2 kg of rice, 6 eggs and a can of chopped tomatoes to my list");
      const bought = await say("i bought the coffee");
      const removed = await say("remove the oranges from the shopping list");
      const cleared = await say("clear my shopping list");
      const agreed = cleared.changes.length > 0 ? cleared : await say("yes");
      const shown = await say("show my shopping list");

      expect(added.changes).toEqual([
        "created shopping_list rice",
        "created shopping_list eggs",
        "created shopping_list chopped tomatoes",
      ]);
      expect(bought.changes).toEqual(["updated shopping_list coffee"]);
      expect(removed.changes).toEqual(["deleted shopping_list oranges"]);
      expect(agreed.changes).toHaveLength(8);
      expect(
        agreed.changes.filter((change) => !change.startsWith("deleted shopping_list ")),
      ).toEqual([]);
      expect(shown.changes).toEqual([]);
      expect(await rows("shopping_list")).toEqual([]);
    });
  });

  test("converse() reports which of three writes failed, in the reply and in the summary", async () => {
    await converse(database, async ({ say, refuse }) => {
      refuse({ table: "shopping_list", text: "eggs" });
      const partly = await say("add 2 kg of rice, 6 eggs and a can of chopped tomatoes to my list");
      refuse(null);
      const rest = await say("add 6 eggs to my list");

      expect(partly.changes).toEqual([
        "created shopping_list rice",
        "created shopping_list chopped tomatoes",
      ]);
      expect(partly.stored).toEqual(["created rice", "created chopped tomatoes"]);
      expect(partly.replies.join()).toMatch(/eggs/u);
      expect(rest.changes).toEqual(["created shopping_list eggs"]);
    });
  });

  test("converse() mentions an allergy before it stores what the household must not eat", async () => {
    await converse(database, async ({ say }) => {
      const asked = await say("add peanuts to my shopping list");

      expect(asked.replies.join()).toMatch(/allerg/iu);
      expect(isSimulated ? asked.changes : []).toEqual([]);
    });
  });
});

describe("the plan", () => {
  test("converse() plans dishes on the days that were named", async () => {
    await converse(database, async ({ say }) => {
      const friday = await say("plan Chickpea Curry for Friday");
      const two = await say("plan the curry for dinner tomorrow and the risotto on wednesday");

      expect(friday.changes).toEqual(["created meal_plans Chickpea Curry, Fri 16 Jan dinner"]);
      expect(two.changes).toEqual([
        "created meal_plans Chickpea Curry, Tue 13 Jan dinner",
        "created meal_plans Mushroom Risotto, Wed 14 Jan dinner",
      ]);
    });
  });

  test("converse() plans the dish that was listed first, and reads nothing for it", async () => {
    await converse(database, async ({ say }) => {
      const listed = await say("show me recipes that use chickpeas or eggs");
      const planned = await say("put the first one on wednesday");

      expect(listed.reads).toEqual(["recipes"]);
      expect(planned.reads).toEqual([]);
      expect(planned.changes).toHaveLength(1);
      const curry = ["created meal_plans Chickpea Curry, Wed 14 Jan dinner"];
      expect(isSimulated ? planned.changes : curry).toEqual(curry);
    });
  });
});
