/** Something that an early turn says or shows, and how to tell that it is still known. */
export interface PlantedFact {
  /** The words that a person would use to come back to it. */
  readonly cue: string;
  /** Patterns that all stand in one line that holds the fact. */
  readonly holds: readonly RegExp[];
}

/** A message, with the facts that it plants. */
export interface Planting {
  readonly message: string;
  readonly facts: readonly PlantedFact[];
}

function createFact(cue: string, ...holds: readonly RegExp[]): PlantedFact {
  return { cue, holds: [new RegExp(cue, "iu"), ...holds] };
}

function findNumber(count: number): RegExp {
  return new RegExp(String.raw`\b${count}\b`, "u");
}

const LEFT_OUT = /\b(?:no|not|left out|demoted|excluded)\b/iu;
const BACK = /\b(?:back|restored|fine)\b/iu;
const GONE = /\b(?:deleted|removed?)\b/iu;

const show = (message: string, ...facts: readonly PlantedFact[]): Planting => ({ message, facts });

const exclude = (food: string): Planting => show(`no ${food}`, createFact(food, LEFT_OUT));

const buy = (count: number, thing: string): Planting =>
  show(`add ${count} ${thing} to my shopping list`, createFact(thing, findNumber(count)));

const store = (count: number, thing: string, place: string): Planting =>
  show(
    `put ${count} ${thing} in the ${place}`,
    createFact(thing, findNumber(count), new RegExp(place, "u")),
  );

const plan = (dish: string, day: string, date: string): Planting =>
  show(`plan ${dish} for lunch on ${day}`, createFact(dish, new RegExp(date, "u"), /lunch/u));

const remove = (thing: string, place: string): Planting =>
  show(`remove the ${thing} from ${place}`, createFact(thing, GONE));

const agree: Planting = { message: "yes", facts: [] };

/** The first turns of a conversation: fifty facts, none of them repeated later. */
export const PLANTING: readonly Planting[] = [
  show(
    "what could I cook this week?",
    createFact("chickpea curry"),
    createFact("black bean chili"),
    createFact("egg fried rice"),
    createFact("mushroom risotto"),
  ),
  show(
    "what's in my freezer?",
    createFact("peas", /\b500\b/u),
    createFact("berries", /\b300\b/u),
    createFact("puff pastry", /\b1\b/u),
  ),
  show(
    "what's on my counter?",
    createFact("bananas", /\b4\b/u),
    createFact("potatoes", /\b800\b/u),
    createFact("bread", /\b8\b/u),
  ),
  show("not the egg fried rice", createFact("egg fried rice", LEFT_OUT)),
  show("the egg fried rice is fine after all", createFact("egg fried rice", BACK)),
  ...[
    "celery",
    "pork",
    "lamb",
    "leeks",
    "tofu",
    "salmon",
    "tuna",
    "prawns",
    "turkey",
    "beetroot",
  ].map(exclude),
  store(3, "avocados", "fridge"),
  store(2, "mozzarella", "fridge"),
  store(7, "kiwis", "counter"),
  store(5, "pears", "counter"),
  store(9, "plums", "counter"),
  store(11, "bagels", "freezer"),
  store(14, "crackers", "pantry"),
  store(6, "tortillas", "pantry"),
  plan("Chickpea Curry", "thursday", "2026-01-15"),
  plan("Mushroom Risotto", "friday", "2026-01-16"),
  plan("Egg Fried Rice", "wednesday", "2026-01-14"),
  plan("Black Bean Chili", "saturday", "2026-01-17"),
  ...[3, 17, 40, 9].map((count, at) =>
    buy(count, ["pineapple", "batteries", "napkins", "candles"][at] ?? ""),
  ),
  buy(21, "sponges"),
  buy(14, "biscuits"),
  buy(6, "peaches"),
  buy(27, "grapes"),
  buy(13, "cherries"),
  buy(19, "radishes"),
  show("i bought the candles", createFact("candles", /bought|purchased/iu)),
  show("i bought the sponges", createFact("sponges", /bought|purchased/iu)),
  remove("oranges", "my shopping list"),
  remove("vanilla ice cream", "the freezer"),
  show("ben is allergic to walnuts", createFact("walnuts", /allerg/iu)),
  agree,
  show("put 🍕 on my shopping list", createFact("🍕")),
  agree,
];

/** Facts of the same form that nobody planted: what finds one of these finds anything. */
export const NEVER_SAID: readonly PlantedFact[] = [
  ...exclude("trout").facts,
  ...buy(33, "lanterns").facts,
  ...store(7, "kumquats", "fridge").facts,
  ...plan("Goulash", "friday", "2026-01-16").facts,
  ...remove("lasagne", "the freezer").facts,
];
