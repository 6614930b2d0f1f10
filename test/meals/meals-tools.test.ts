import { beforeAll, describe, expect, test } from "vitest";
import { calendarText, exportCalendar } from "../../meals/tools/export-calendar.ts";
import { findRecipes, rankRecipes, type RecipeCandidate } from "../../meals/tools/find-recipes.ts";
import { DEMO } from "../../meals/demo/read-kitchen.ts";
import { searchScore, trigramSimilarity } from "../../meals/tools/search-score.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

function open(userId = "demo"): Kitchen {
  return openKitchen(database, { userId, tools: [findRecipes, exportCalendar] });
}

const CANDIDATES: readonly RecipeCandidate[] = DEMO.recipes.map((recipe, index) => ({
  id: String(index + 1),
  name: recipe.name,
  cuisine: recipe.cuisine,
  tags: [...recipe.tags],
  minutes: recipe.prep + recipe.cook,
  ingredients: recipe.ingredients.map(([name]) => name),
}));
const ANY = { text: null, use: [], avoid: [], maxMinutes: null, tags: [] };

describe("find_recipes", () => {
  test.each([
    ["chickpeas or eggs, in the order of the box", { use: ["chickpeas", "eggs"] }, [3, 5, 8]],
    ["most matches first", { use: ["rice", "egg"] }, [8, 3, 4, 5, 9]],
    ["nothing with cod, whatever it is called", { avoid: ["cod"] }, [3, 4, 5, 6, 8, 9]],
    ["plural and singular alike", { use: ["mushroom"] }, [4]],
    ["quick ones", { maxMinutes: 30 }, [2, 5, 8]],
    ["all tags", { tags: ["Quick", "vegetarian"] }, [5, 8]],
    ["words of the name", { text: "french toast" }, [5]],
    ["misspelled words", { text: "rissotto" }, [4]],
    ["the beginning of a word", { text: "chick" }, [3, 6]],
    ["words of the cuisine", { text: "mexican" }, [2, 9]],
    ["words and foods together", { text: "curry", use: ["spinach"] }, [3]],
    ["what is not there", { text: "borscht" }, []],
    ["everything when nothing is asked", {}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])("%s", (_what, search, places) => {
    const found = rankRecipes(CANDIDATES, { ...ANY, ...search });

    expect(found.map(({ id }) => Number(id))).toEqual(places);
  });

  test("a recipe without times is in no search by time", () => {
    const [recipe] = CANDIDATES;
    const untimed = recipe === undefined ? [] : [{ ...recipe, minutes: null }];

    expect(rankRecipes(untimed, { ...ANY, maxMinutes: 60 })).toEqual([]);
  });

  test("reads in the order of the ranking, and is suppressed when all is held", async () => {
    const demo = open();
    await demo.call("read_recipes", {});

    const outcome = await demo.call("find_recipes", { use: ["rice", "eggs"], limit: 3 });

    const refs = outcome.reads[0]?.ids.map((id) => demo.refs.refFor("recipe", id));
    expect(refs).toEqual(["recipe_8", "recipe_3", "recipe_4"]);
    expect(outcome.reads[0]).toMatchObject({ suppressed: true, total: 5, rows: [] });
  });

  test("finds nobody else's recipes", async () => {
    const mine = await open().call("find_recipes", { text: "goulash" });
    const theirs = await open("neighbour").call("find_recipes", { text: "goulash" });

    expect([mine.reads[0]?.total, theirs.reads[0]?.total]).toEqual([0, 1]);
  });

  test("refuses a limit that is none", async () => {
    await expect(open().call("find_recipes", { limit: 0 })).rejects.toMatchObject({
      message: 'Cannot use limit "0": it does not fit; give a whole number from 1 to 100, or null',
    });
  });
});

describe("search scores", () => {
  test("are alike for misspellings and not for other words", () => {
    expect(trigramSimilarity("risotto", "rissotto")).toBeGreaterThan(0.5);
    expect(trigramSimilarity("cod", "cob")).toBeLessThan(0.45);
    expect(searchScore("Chickpea Curry", "curry")).toBe(1);
    expect(searchScore("Chickpea Curry", "curry soup")).toBe(0);
  });
});

describe("export_calendar", () => {
  test("gives the planned days as a calendar, and their rows as a read", async () => {
    const demo = open();

    const outcome = await demo.call("export_calendar", { from: "2026-01-18", to: "2026-01-18" });

    expect(outcome.reads[0]).toMatchObject({ type: "meal", total: 2, detail: "full" });
    expect(outcome.text).not.toMatch(/[^\r]\n/);
    // Lunch is at 11:30 UTC: 12:30 in Berlin, in winter.
    const text = outcome.text?.replace(/UID:\w{20}@/g, "UID:…@").replaceAll("\r\n", "\n");
    await expect(`${text}\n`).toMatchFileSnapshot("../golden/calendar.ics");
    for (const id of outcome.reads[0]?.ids ?? []) expect(outcome.text).not.toContain(id);
  });

  test("is the same text when the rows are held already", async () => {
    const demo = open();
    const days = { from: "2026-01-12", to: "2026-01-18" };

    const first = await demo.call("export_calendar", days);
    const second = await demo.call("export_calendar", days);

    expect(second.reads[0]?.suppressed).toBe(true);
    expect(second.text).toBe(first.text);
  });

  test("says nothing of days without meals, and nothing of other people's", async () => {
    const empty = await open().call("export_calendar", { from: "2026-02-01", to: "2026-02-02" });
    const theirs = await open("neighbour").call("export_calendar", {
      from: "2026-01-12",
      to: "2026-01-12",
    });

    expect(empty.text).toBeNull();
    expect(theirs.text).toContain("Beef Goulash");
    expect(theirs.text).not.toContain("Risotto");
  });

  test("a meal of no time of day lasts all day, wherever the program runs", () => {
    const meal = {
      id: "1",
      values: { date: "2026-03-29", slot: "other", title: "Picnic; for us" },
    };

    const text = calendarText([meal], "Pacific/Auckland");

    expect(text).toContain("DTSTART;VALUE=DATE:20260329");
    expect(text).toContain("SUMMARY:Other: Picnic\\; for us");
  });
});
