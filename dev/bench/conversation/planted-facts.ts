/** What sort of thing is to be remembered. */
export const FACT_KINDS = [
  "a thing that was shown",
  "an exclusion",
  "a number that was asked for",
  "a thing that was saved",
  "a change, or one taken back",
  "a draft that was not saved",
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Something that an early turn says or shows, and how to tell that it is still known. */
export interface PlantedFact {
  readonly kind: FactKind;
  /** The words a person would use to come back to it, and all that a look-up may be given. */
  readonly cue: string;
  /** What one line of a prompt, or one row, has to hold all of. */
  readonly holds: readonly RegExp[];
}

/** A message of the person, with the facts it plants. */
export interface PlantingTurn {
  readonly say: string;
  readonly facts: readonly PlantedFact[];
}

const shown = (cue: string, ...holds: readonly RegExp[]): PlantedFact => ({
  kind: "a thing that was shown",
  cue,
  holds: [new RegExp(cue, "iu"), ...holds],
});

const NOT = /\b(?:no|not|never|without|excluded|demoted)\b/iu;
const never = (thing: string): PlantingTurn => ({
  say: `never use ${thing} please`,
  facts: [{ kind: "an exclusion", cue: thing, holds: [new RegExp(thing, "iu"), NOT] }],
});

const wanted = (count: number, thing: string): PlantingTurn => ({
  say: `add ${count} ${thing} to my shopping list`,
  facts: [
    {
      kind: "a number that was asked for",
      cue: thing,
      holds: [new RegExp(thing, "iu"), new RegExp(String.raw`\b${count}\b`, "u")],
    },
  ],
});

const saved = (say: string, cue: string, ...holds: readonly RegExp[]): PlantingTurn => ({
  say,
  facts: [{ kind: "a thing that was saved", cue, holds: [new RegExp(cue, "iu"), ...holds] }],
});

const changed = (say: string, cue: string, ...holds: readonly RegExp[]): PlantingTurn => ({
  say,
  facts: [{ kind: "a change, or one taken back", cue, holds: [new RegExp(cue, "iu"), ...holds] }],
});

const drafted = (dish: string): PlantingTurn => ({
  say: `draft a ${dish}`,
  facts: [
    {
      kind: "a draft that was not saved",
      cue: dish,
      holds: [new RegExp(dish, "iu"), /\b(?:draft|gen_recipe)/iu],
    },
  ],
});

const plain = (say: string): PlantingTurn => ({ say, facts: [] });

/** The first turns of a conversation: fifty facts, none of them said again later. */
export const PLANTING: readonly PlantingTurn[] = [
  {
    say: "what could I cook this week?",
    facts: [
      shown("chickpea curry"),
      shown("black bean chili"),
      shown("egg fried rice"),
      shown("mushroom risotto"),
    ],
  },
  {
    say: "what's in my freezer?",
    facts: [
      shown("peas", /\b500\b/u),
      shown("berries", /\b300\b/u),
      shown("puff pastry", /\b1\b/u),
    ],
  },
  {
    say: "what's on my counter?",
    facts: [shown("bananas", /\b4\b/u), shown("potatoes", /\b800\b/u), shown("bread", /\b8\b/u)],
  },
  changed("not the egg fried rice please", "egg fried rice", NOT),
  changed(
    "actually the egg fried rice is fine after all",
    "egg fried rice",
    /fine|restored|again/iu,
  ),
  ...["olives", "anchovies", "celery", "pork", "lamb"].map(never),
  ...["mussels", "squid", "leek", "tofu", "duck"].map(never),
  saved("add a task to descale the kettle", "kettle"),
  saved("add a task to order a new lid", "lid", /order/iu),
  saved("add a task to water the plants", "plants", /water/iu),
  saved("add 250 g of feta to the fridge", "feta", /\b250\b/u),
  saved("add 2 jars of capers to the pantry", "capers", /\b2\b/u),
  saved("add 12 walnuts to the counter", "walnuts", /\b12\b/u),
  plain("draft a minestrone"),
  saved("great, save it", "minestrone"),
  saved(
    "put the chickpea curry on the plan for lunch on thursday",
    "chickpea curry",
    /thu|2026-01-15/iu,
    /lunch/iu,
  ),
  saved(
    "put the mushroom risotto on the plan for lunch on friday",
    "mushroom risotto",
    /fri(?:day)?\b|2026-01-16/iu,
    /lunch/iu,
  ),
  saved(
    "put the egg fried rice on the plan for lunch on wednesday",
    "egg fried rice",
    /wed|2026-01-14/iu,
    /lunch/iu,
  ),
  plain("put the black bean chili on the plan for dinner on saturday"),
  changed("move the chili to sunday", "chili", /sun|2026-01-18/iu),
  wanted(3, "avocados"),
  wanted(17, "batteries"),
  wanted(40, "napkins"),
  wanted(9, "candles"),
  wanted(21, "tealights"),
  wanted(5, "sponges"),
  wanted(14, "corks"),
  wanted(6, "bulbs"),
  wanted(27, "straws"),
  wanted(11, "magnets"),
  changed("I bought the avocados", "avocados", /bought|purchased/iu),
  changed("the kettle task is done", "kettle", /done|completed/iu),
  ...["goulash", "lasagne", "ratatouille", "quiche", "burrito"].map(drafted),
];

/** Facts of the same form that nobody planted: what finds one of these finds anything. */
export const NEVER_SAID: readonly PlantedFact[] = [
  ...never("trout").facts,
  ...wanted(33, "lanterns").facts,
  ...saved("add 7 kumquats to the fridge", "kumquats").facts,
  ...changed("move the goulash to friday", "goulash", /friday/iu).facts,
  ...drafted("bouillabaisse").facts,
];

/** All that is planted, in the order in which it is said. */
export const PLANTED_FACTS: readonly PlantedFact[] = PLANTING.flatMap(({ facts }) => facts);
