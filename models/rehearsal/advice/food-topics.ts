import type { Topic } from "./advice.ts";

const TAKEOUT: Topic = {
  words: [
    "takeout",
    "takeaway",
    "delivery",
    "ordering",
    "weeknight",
    "restaurant",
    "cooking",
    "cook",
    "dinner",
  ],
  opinions: [
    {
      text: "Cook twice as much on Sunday and keep half of it for the busiest evenings.",
      views: ["craft", "cost", "person"],
    },
    {
      text: "Agree on three dinners that take under 20 minutes and keep their ingredients at home.",
      views: ["craft", "risk", "person"],
    },
    {
      text: "Before you cook twice as much on Sunday, count what four weeks of takeout have cost.",
      views: ["cost", "risk"],
    },
    {
      text: "However, cooking twice as much on Sunday fails as soon as one of you gets tired of the same food.",
      views: ["person", "risk"],
    },
    {
      text: "Keep one evening of takeout a week on purpose, so that the other evenings hold.",
      views: ["person", "craft"],
    },
    { text: "Set a fixed sum for takeout and pay it from a separate card.", views: ["cost"] },
    {
      text: "If the evening starts after seven, only what is half done already gets cooked.",
      views: ["craft"],
    },
    {
      text: "I do not know who cooks on the evenings when both of you are worn out.",
      views: ["person", "risk"],
    },
  ],
  steps: [
    {
      title: "Choose what carries the week",
      description: "Pick two dishes that keep and one dinner that takes under 20 minutes.",
      time: "20 minutes",
      doneWhen: "three dinners that everybody agrees to are written down",
      actions: [
        "List the dinners of the last month that everybody finished.",
        "Strike out whatever takes longer than 20 minutes on the evening itself.",
        "Write the three that are left where both of you see them.",
      ],
      pitfall: "Choosing dishes that only one of you likes ends in takeout by Wednesday.",
      needs: ["rice", "eggs", "tomatoes"],
    },
    {
      title: "Buy for exactly those dinners",
      description: "Write one list from the three dinners and buy nothing besides it.",
      time: "45 minutes",
      doneWhen: "everything for the three dinners is in the kitchen",
      actions: [
        "Go through the kitchen before you write the list.",
        "Buy on one day, for the whole week.",
      ],
      pitfall: "A second trip to the shop in mid-week usually passes the takeout place.",
    },
    {
      title: "Prepare the base in one session",
      description: "Cook grains, sauce and roasted vegetables and leave them unmixed.",
      time: "90 minutes",
      doneWhen: "two evenings need nothing but warming",
      actions: [
        "Start with what takes longest in the oven.",
        "Keep the parts apart, so that each evening can taste different.",
      ],
      pitfall: "Mixed dishes feel like leftovers; parts that are put together fresh do not.",
    },
    {
      title: "Give every evening an owner",
      description: "Say who puts dinner together on which evening.",
      time: "10 minutes",
      doneWhen: "every evening has a name or the word free beside it",
      actions: ["Look at both calendars.", "Give the latest evening the easiest dinner."],
      pitfall: "An evening that belongs to nobody becomes takeout.",
    },
    {
      title: "Look back after a week",
      description: "Compare what was spent with the limit, and change one thing at most.",
      time: "15 minutes",
      doneWhen: "the week's spending stands beside the limit",
      actions: [
        "Add up the week's food and takeout.",
        "Keep what worked; change the worst evening.",
      ],
      pitfall: "Changing everything after one bad evening throws away what worked.",
    },
  ],
};

const PREPPING: Topic = {
  words: ["prep", "prepping", "batch", "leftover", "kit", "kits", "ahead", "freezer"],
  opinions: [
    {
      text: "Prepare parts instead of whole meals, so that an evening needs 15 minutes and still tastes fresh.",
      views: ["craft", "person", "risk", "cost"],
    },
    {
      text: "One session of two hours saves about four evenings of half an hour each.",
      views: ["craft", "cost"],
    },
    {
      text: "Before you prepare parts instead of whole meals, find out which evenings really lack the time.",
      views: ["risk", "person"],
    },
    {
      text: "However, one session on the weekend only moves the work if nobody enjoys it.",
      views: ["person", "risk"],
    },
    {
      text: "Meal kits save the planning, but they cost about twice as much as the same food bought alone.",
      views: ["cost", "craft"],
    },
    { text: "I do not know what falls away first in a bad week.", views: ["risk"] },
  ],
  steps: [
    {
      title: "Find the evenings that lack time",
      description: "Mark the two or three evenings on which cooking fails most often.",
      time: "10 minutes",
      doneWhen: "two or three evenings are marked in the calendar",
      actions: [
        "Go through the last two weeks.",
        "Mark where dinner was late, ordered or skipped.",
      ],
      pitfall: "Preparing for all seven evenings is given up within two weeks.",
    },
    {
      title: "Choose three parts that combine",
      description: "Take one grain, one protein and one tray of vegetables.",
      time: "15 minutes",
      doneWhen: "three different dinners from them are named",
      actions: [
        "Begin with what you like cold as well as warm.",
        "Name the dinners, so that nobody has to think.",
      ],
      pitfall: "Parts that only make one dish are a dish, and get boring like one.",
      needs: ["rice", "chickpeas", "carrots"],
    },
    {
      title: "Do one short session",
      description: "Cook the three parts side by side and stop after the time is up.",
      time: "90 minutes",
      doneWhen: "the parts are cooled, labelled and in the fridge",
      actions: [
        "Oven first, then the stove, then cutting.",
        "Label with the day until which it is good.",
      ],
      pitfall: "A first session of half a day is the last one.",
    },
    {
      title: "Run the week and adjust",
      description: "Eat from the parts on the marked evenings and note what was left over.",
      time: "5 minutes a day",
      doneWhen: "the week is over and one change for the next is noted",
      actions: ["Note each evening how long dinner took.", "Halve what was left over next time."],
      pitfall: "What is not noted is forgotten by the next session.",
    },
  ],
};

const VEGETABLES: Topic = {
  words: [
    "vegetable",
    "vegetables",
    "veg",
    "veggie",
    "kid",
    "kids",
    "children",
    "child",
    "toddler",
    "picky",
    "eater",
    "greens",
  ],
  opinions: [
    {
      text: "Offer the same vegetable again and again in small amounts, without asking that it be eaten.",
      views: ["craft", "risk", "person"],
    },
    {
      text: "Let the kids choose and wash one vegetable of the day.",
      views: ["craft", "person", "cost"],
    },
    {
      text: "Eat the vegetables yourself at the same table, with visible pleasure.",
      views: ["craft", "person"],
    },
    {
      text: "However, vegetables that are hidden in sauces are never learned.",
      views: ["risk", "person"],
    },
    {
      text: "Hide vegetables in sauces as long as nothing else gets eaten.",
      views: ["cost", "craft"],
    },
    {
      text: "Before you offer the same vegetable again and again, leave out the snacks of the last hour before dinner.",
      views: ["risk"],
    },
    {
      text: "Frozen vegetables cost half as much and waste nothing when a plate comes back full.",
      views: ["cost"],
    },
    {
      text: "I do not know which vegetables they once ate without a fight.",
      views: ["person", "risk"],
    },
  ],
  steps: [
    {
      title: "Pick two vegetables for two weeks",
      description: "Take one they know and one that is new, and stay with these two.",
      time: "10 minutes",
      doneWhen: "two vegetables are on the shopping list for two weeks",
      actions: [
        "Ask each child for one choice.",
        "Choose forms they can hold: sticks, florets, peas.",
      ],
      pitfall: "A new vegetable every day never becomes a known one.",
      needs: ["carrots", "peas"],
    },
    {
      title: "Serve them first",
      description: "Put a small plate of them on the table while dinner is still cooking.",
      time: "5 minutes a day",
      doneWhen: "the plate has stood on the table on five evenings",
      actions: ["No snacks in the hour before.", "Say nothing about what is eaten."],
      pitfall: "One remark about eating turns the plate into a contest.",
    },
    {
      title: "Cook one dish together",
      description: "Let the kids prepare one of the two vegetables for the whole family.",
      time: "30 minutes",
      doneWhen: "the kids have served something they made",
      actions: [
        "Give every child one task that is really needed.",
        "Eat it together, whatever it looks like.",
      ],
      pitfall: "Taking over when it gets messy ends the interest.",
    },
    {
      title: "Add the next vegetable",
      description: "Keep what was eaten and replace what was refused by something alike.",
      time: "10 minutes",
      doneWhen: "the next two weeks have their two vegetables",
      actions: ["Count tries, not bites.", "Change the form before you change the vegetable."],
      pitfall: "Ten refusals are usual before the first yes.",
    },
  ],
};

/** What there is to say about eating at home. */
export const FOOD_TOPICS: readonly Topic[] = [VEGETABLES, PREPPING, TAKEOUT];
