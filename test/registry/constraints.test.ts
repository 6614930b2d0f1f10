import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { Constraint } from "../../state/constraint.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import {
  compareWishes,
  listWishChanges,
  mergeConstraints,
  renderConstraints,
  takeBackWishes,
  withLastingWishes,
} from "../../registry/constraints.ts";
import { countRoughly } from "../support/arbitraries.ts";

type Stated = UnderstandAnswer["constraints"][number];

const options = { turn: 5, today: "2026-01-12", limits: { constraints: 40 } };

describe("mergeConstraints()", () => {
  test("adds what is new with its turn", () => {
    expect(
      mergeConstraints([], [createStated({ text: " no  cod ", until: "2026-01-18" })], options),
    ).toEqual({
      constraints: [held({ text: "no cod", until: "2026-01-18", turn: 5 })],
      notices: [],
    });
  });

  test("does not add again what was said, and brings it up to date", () => {
    const before = [held({ text: "No cod!" }), held({ text: "8 meals", count: 8 })];
    const answer = [
      createStated({ text: "no cod", kind: "hard", until: "2026-01-18" }),
      createStated({ text: "8 Meals" }),
    ];
    expect(mergeConstraints(before, answer, options).constraints).toEqual([
      held({ text: "No cod!", kind: "hard", until: "2026-01-18" }),
      held({ text: "8 meals", count: 8 }),
    ]);
  });

  test("of one text in one answer, the rule counts, whichever comes last", () => {
    const twice = [
      createStated({ text: "no cod", kind: "hard" }),
      createStated({ text: "No cod", kind: "soft" }),
    ];
    for (const answer of [twice, twice.toReversed()]) {
      const { constraints } = mergeConstraints([], answer, options);
      expect(constraints.map(({ kind }) => kind)).toEqual(["hard"]);
    }
  });

  test("a rule said again as a wish stays a rule", () => {
    const before = [held({ text: "no peanuts", kind: "hard" })];
    expect(
      mergeConstraints(before, [createStated({ text: "no peanuts" })], options).constraints,
    ).toEqual(before);
  });

  test("replaces by name, in its place, and says so of a rule", () => {
    const before = [
      held({ text: "no peanuts", kind: "hard" }),
      held({ text: "8 meals", count: 8 }),
    ];
    const answer = [
      createStated({ text: "6 meals", count: 6, replaces: "8 Meals" }),
      createStated({ text: "a few peanuts are fine", replaces: "No peanuts." }),
    ];
    expect(mergeConstraints(before, answer, options)).toEqual({
      constraints: [
        held({ text: "a few peanuts are fine", turn: 5 }),
        held({ text: "6 meals", count: 6, turn: 5 }),
      ],
      notices: ['"no peanuts" no longer holds: replaced by "a few peanuts are fine"'],
    });
  });

  test("lets go of what has ended, the last day included as holding", () => {
    const before = [
      held({ text: "no cod", until: "2026-01-11" }),
      held({ text: "no rice", until: "2026-01-12" }),
    ];
    expect(mergeConstraints(before, [], options)).toEqual({
      constraints: [held({ text: "no rice", until: "2026-01-12" })],
      notices: ['"no cod" has ended (2026-01-11)'],
    });
  });

  test("over the limit, the oldest wishes share a line and every text stays", () => {
    const before = [
      held({ text: "no peanuts", kind: "hard", turn: 1 }),
      held({ text: "little salt", turn: 1 }),
      held({ text: "soup on sundays", count: 2, turn: 2 }),
      held({ text: "no cod", until: "2026-01-18", turn: 3 }),
    ];
    const two = { ...options, limits: { constraints: 3 } };
    expect(mergeConstraints(before, [createStated({ text: "no rice" })], two).constraints).toEqual([
      held({ text: "no peanuts", kind: "hard", turn: 1 }),
      held({ text: "little salt; soup on sundays (2); no rice", turn: 1 }),
      held({ text: "no cod", until: "2026-01-18", turn: 3 }),
    ]);
  });

  test("a rule that shares a line is known, and becomes a rule of its own", () => {
    const before = [held({ text: "little salt; soup on sundays (2)" })];
    const known = [createStated({ text: "Soup on Sundays", count: 2 })];
    expect(mergeConstraints(before, known, options).constraints).toEqual(before);
    const rule = [createStated({ text: "little salt", kind: "hard" })];
    expect(mergeConstraints(before, rule, options).constraints).toEqual([
      held({ text: "soup on sundays (2)" }),
      held({ text: "little salt", kind: "hard", turn: 5 }),
    ]);
  });

  const texts = fc.constantFrom("no cod", "No cod.", "8 meals", "salt", "a; b", "a", "🥜", "…", "");
  const anyAnswer = fc.array(
    fc.record({
      text: texts,
      kind: fc.constantFrom("hard" as const, "soft" as const),
      count: fc.constantFrom(null, 8),
      until: fc.constantFrom(null, "2026-01-01", "2026-01-12", "2026-02-01"),
      replaces: fc.option(texts, { nil: null }),
      scope: fc.constantFrom("conversation", "person"),
    }),
    { maxLength: 3 },
  );
  const caps = fc.integer({ min: 1, max: 6 });
  /** Constraints of earlier turns, shared lines among them. */
  const anyStored = fc.array(anyAnswer, { maxLength: 4 }).chain((answers) =>
    caps.map((limit) =>
      answers.reduce<Constraint[]>(
        (stored, answer, index) =>
          mergeConstraints(stored, answer, {
            turn: index + 1,
            today: "2025-12-01",
            limits: { constraints: limit },
          }).constraints,
        [],
      ),
    ),
  );

  property.prop([anyStored, anyAnswer, caps], { numRuns: 300 })(
    "the same answer twice changes nothing more",
    (before, answer, constraints) => {
      const all = { ...options, limits: { constraints } };
      const once = mergeConstraints(before, answer, all).constraints;
      expect(mergeConstraints(once, answer, all).constraints).toEqual(once);
    },
  );

  property.prop([anyStored, anyAnswer, caps], { numRuns: 300 })(
    "no rule is lost unless it ends or is replaced by name, and then it is said",
    (before, answer, constraints) => {
      const all = { ...options, limits: { constraints } };
      const { constraints: after, notices } = mergeConstraints(before, answer, all);
      const kept = new Set(after.filter((one) => one.kind === "hard").map((one) => bare(one.text)));
      const gone = before.filter((one) => one.kind === "hard" && !kept.has(bare(one.text)));
      for (const rule of gone) {
        const ended = (rule.until ?? "9999") < options.today;
        const over = answer.some(
          (one) => bare(one.text) === bare(rule.text) && (one.until ?? "9999") < options.today,
        );
        const named = answer.some((one) => bare(one.replaces ?? "") === bare(rule.text));
        expect(ended || over || named).toBe(true);
        expect(notices.some((notice) => bare(notice).includes(bare(rule.text)))).toBe(true);
      }
    },
  );

  property.prop([anyStored, caps])(
    "without an answer, every text that holds is still there",
    (before, constraints) => {
      const { constraints: after } = mergeConstraints(before, [], {
        ...options,
        limits: { constraints },
      });
      const holding = before.filter((one) => one.until === null || one.until >= options.today);
      const texts = after.map((one) => one.text).join("; ");
      for (const one of holding) expect(texts).toContain(one.text);
      const alone = holding.filter(({ kind, scope }) => kind === "hard" || scope === "person");
      expect(after.length).toBeLessThanOrEqual(Math.max(constraints, alone.length + 1));
    },
  );
});

describe("mergeConstraints() with an update without a text", () => {
  const before = [held({ text: "never coriander", kind: "hard" }), held({ text: "little salt" })];

  test("forgets what it names, and says so", () => {
    const answer = [createStated({ text: " ", replaces: "Never coriander!" })];
    expect(mergeConstraints(before, answer, options)).toEqual({
      constraints: [held({ text: "little salt" })],
      notices: ['"Never coriander!" is forgotten'],
    });
  });

  test("changes nothing where it names nothing that holds, or what the same answer says", () => {
    const unknown = [createStated({ text: "", replaces: "no lamb" })];
    expect(mergeConstraints(before, unknown, options)).toEqual({
      constraints: before,
      notices: [],
    });
    const both = [createStated({ text: "", replaces: "no cod" }), createStated({ text: "no cod" })];
    const { constraints } = mergeConstraints([held({ text: "no cod" })], both, options);
    expect(constraints.map(({ text }) => text)).toEqual(["no cod"]);
  });
});

describe("takeBackWishes()", () => {
  const salt = held({ text: "little salt" });
  const rule = held({ text: "never coriander", kind: "hard" });

  test("takes out what was noted, and brings back what it took the place of", () => {
    const fine = held({ text: "coriander is fine", turn: 5 });
    const change = compareWishes([salt, rule], [salt, fine]);
    expect(change).toEqual({ before: [rule], after: [fine] });
    expect(takeBackWishes([fine, salt], change ?? NO_CHANGE)).toEqual([salt, rule]);
    expect(compareWishes([salt], [salt])).toBeNull();
  });

  test("leaves alone what was said since", () => {
    const change = { before: [], after: [held({ text: "no cod; no lamb" })] };
    const since = [held({ text: "no lamb; 8 meals" }), held({ text: "no cod" })];
    expect(takeBackWishes(since, change)).toEqual([held({ text: "8 meals" })]);
  });
});

const NO_CHANGE = { before: [], after: [] };

describe("renderConstraints()", () => {
  const ROOM = { budget: 999, ruleBudget: 999, message: "", countTokens: countRoughly };

  const constraints = [
    held({ text: "little salt" }),
    held({ text: "8 meals", count: 8 }),
    held({ text: "no peanuts", kind: "hard" }),
    held({ text: "soup", count: 2, until: "2026-01-18" }),
  ];

  test.each([
    [100, "- no peanuts (must hold)\n- little salt\n- 8 meals\n- soup (2, until 2026-01-18)"],
    [18, "- no peanuts (must hold)\n- soup (2, until 2026-01-18)\n+ 2 older wishes"],
    [0, "- no peanuts (must hold)\n+ 3 older wishes"],
  ])("shows rules first and the wishes that fit: %i", (budget, text) => {
    expect(renderConstraints(constraints, { ...ROOM, budget })).toBe(text);
  });

  const rules = ["no lamb", "no pork", "no fish", "never coriander"].map((text) =>
    held({ text, kind: "hard" }),
  );

  test("shows, of rules beyond their tokens, those that touch the message, then the newest", () => {
    const tight = { ...ROOM, ruleBudget: 20 };
    expect(renderConstraints(rules, { ...tight, message: "lamb for dinner?" })).toBe(
      "- no lamb (must hold)\n- never coriander (must hold)\n+ 2 older rules",
    );
    // Words that any rule may have touch none.
    expect(renderConstraints(rules, { ...tight, message: "no, never mind" })).toBe(
      "- no fish (must hold)\n- never coriander (must hold)\n+ 2 older rules",
    );
    expect(renderConstraints(rules, { ...ROOM, ruleBudget: 0 })).toBe("+ 4 older rules");
  });

  test("is empty where nothing holds", () => {
    expect(renderConstraints([], { ...ROOM, budget: 9 })).toBe("");
  });
});

describe("withLastingWishes()", () => {
  test("puts the stored ones in place of those that the conversation knew, each text once", () => {
    const own = held({ text: "no cod" });
    const both = held({ text: "No peanuts." });
    const gone = held({ text: "no dill", scope: "person" });
    const lasting = held({ text: "no peanuts", scope: "person" });

    expect(withLastingWishes([own, both, gone], [lasting])).toEqual([lasting, own]);
  });
});

describe("listWishChanges()", () => {
  test("lists lasting wishes that are new, changed or gone, and no others", () => {
    const kept = held({ text: "no dill", scope: "person" });
    const changed = held({ text: "8 meals", count: 8, scope: "person" });
    const gone = held({ text: "no cod", scope: "person" });

    expect(
      listWishChanges(
        [kept, changed, gone],
        [kept, { ...changed, count: 6 }, held({ text: "no fish" })],
      ),
    ).toEqual([
      { wish: gone, isWithdrawn: true },
      { wish: { ...changed, count: 6 }, isWithdrawn: false },
    ]);
  });
});

function held(given: Partial<Constraint>): Constraint {
  return {
    text: "",
    kind: "soft",
    count: null,
    until: null,
    scope: "conversation",
    turn: 1,
    ...given,
  };
}

function createStated(given: Partial<Stated>): Stated {
  return {
    text: "",
    kind: "soft",
    count: null,
    until: null,
    replaces: null,
    scope: "conversation",
    ...given,
  };
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[.,;]/g, "");
}
