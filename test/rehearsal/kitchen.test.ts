import { fc, test as lawTest } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { MEALS_CHECKS } from "../../domains/meals/checks.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import { KITCHEN } from "../../models/rehearsal/world/kitchen.ts";
import type { MadeUp, Slot } from "../../models/rehearsal/world/world.ts";

const make = (what: string, rest: Partial<Parameters<typeof KITCHEN.makeUp>[0]> = {}) =>
  KITCHEN.makeUp({ what, size: 2, avoid: [], taken: [], ...rest });

const namesOf = (made: MadeUp | null): string[] =>
  made?.children?.rows.map(({ name }) => String(name)) ?? [];

describe("KITCHEN.makeUp()", () => {
  test("knows a dish by its name and measures it for so many", () => {
    const made = make("simple shakshuka", { size: 4 });

    expect(made?.fields).toMatchObject({ name: "Shakshuka", servings: 4 });
    expect(made?.children?.rows[0]).toEqual({ name: "eggs", quantity: 8 });
  });

  test("makes another one where names are taken", () => {
    const names: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      names.push(String(make("quick pasta", { taken: names })?.fields["name"]));
    }

    expect(new Set(names).size).toBe(3);
    expect(names).toEqual(["Lemon Pea Pasta", "Spaghetti Aglio e Olio", "Tomato Mascarpone Penne"]);
  });

  test("takes something else for what must not be in it", () => {
    expect(namesOf(make("pad thai"))).toContain("peanuts");
    expect(namesOf(make("pad thai", { avoid: ["peanuts"] }))).toContain("toasted sunflower seeds");
    expect(namesOf(make("lentil soup without carrots"))).not.toContain("carrots");
  });

  test("makes what it has never heard of the plain way", () => {
    const made = make("bobotie");

    expect(made?.fields).toMatchObject({ name: "Bobotie" });
    expect(namesOf(made)).toContain("bobotie");
  });

  lawTest.prop([fc.string(), fc.integer({ min: 1, max: 12 })])(
    "has a name and something in it whatever is asked for",
    (what, size) => {
      const made = make(what, { size });

      expect(made?.fields["name"]).not.toBe("");
      expect(namesOf(made).length).toBeGreaterThan(0);
    },
  );
});

describe("KITCHEN.alter()", () => {
  const draft = make("simple shakshuka");
  const alter = (change: string, avoid: readonly string[] = []): MadeUp | null =>
    draft === null ? null : KITCHEN.alter({ draft, change, avoid });

  test("puts something on top", () => {
    const altered = alter("put crumbled feta on top");

    expect(altered?.children?.rows.at(-1)).toEqual({
      name: "feta",
      quantity: 80,
      unit: "g",
      note: "crumbled",
    });
    expect(altered?.fields["instructions"]).toContain("crumbled feta on top");
  });

  test("leaves something out", () => {
    expect(namesOf(alter("without the peppers"))).not.toContain("bell peppers");
  });

  test("measures for another number", () => {
    const altered = alter("make it for 4");

    expect(altered?.fields["servings"]).toBe(4);
    expect(altered?.children?.rows[0]).toEqual({ name: "eggs", quantity: 8 });
  });

  test("takes one thing for another", () => {
    const names = namesOf(alter("use spinach instead of the onions"));

    expect(names).toContain("spinach");
    expect(names).not.toContain("onions");
  });

  test("gives another name", () => {
    expect(alter("call it sunday eggs")?.fields["name"]).toBe("Sunday Eggs");
  });

  test("adds nothing that must not be in it", () => {
    expect(alter("add peanuts on top", ["peanuts"])).toBeNull();
  });
});

const slots: fc.Arbitrary<Slot[]> = fc
  .subarray(
    ["2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16"].flatMap((date) =>
      ["lunch", "dinner"].map((time) => ({ date, time })),
    ),
  )
  .filter((all) => all.length > 0);

lawTest.prop([slots, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 })])(
  "KITCHEN.fillSlots() fills every slot, and what is left over adds up",
  (wanted, size, dishes) => {
    const options = Array.from({ length: dishes }, (_, index) => ({
      ref: `recipe_${index + 1}`,
      label: `Dish ${index + 1}`,
      cells: {},
    }));
    const rows = KITCHEN.fillSlots({ slots: wanted, options, size });
    const meals = rows.map((values, index) => ({
      type: "meal",
      ref: `gen_meal_${index + 1}`,
      values: JsonObjectSchema.parse(values),
    }));

    expect(rows.map(({ date, slot }) => ({ date, time: slot }))).toEqual(wanted);
    expect(
      MEALS_CHECKS.drafts(meals, {
        constraints: [],
        profile: { household_size: size },
        today: "2026-01-12",
      }),
    ).toEqual([]);
  },
);
