import type { ShapeName } from "../../state/analysis.ts";
import type { MapSketch } from "../support/claim-maps.ts";

/** A map whose shape is beyond doubt, and maps that nearly have it. */
export interface GoldenShape {
  readonly shape: ShapeName;
  readonly clear: Readonly<Record<string, MapSketch>>;
  readonly near: Readonly<Record<string, MapSketch & { readonly shape: ShapeName }>>;
}

export const GOLDEN_SHAPES: readonly GoldenShape[] = [
  {
    shape: "contested",
    clear: {
      "four experts, two camps that differ on what to do and on why": {
        experts: 4,
        claims: { sellNow: [1, 2], wait: [3, 4], pricesFall: [1, 2], pricesRise: [3, 4] },
        edges: [
          "sellNow conflicts wait",
          "pricesFall conflicts pricesRise",
          "pricesFall supports sellNow",
          "pricesRise supports wait",
        ],
      },
      "six experts, halves that differ on two things, and what all agree on": {
        experts: 6,
        claims: {
          quit: [1, 2, 3],
          stay: [4, 5, 6],
          savingsCover: [1, 2, 3],
          savingsTooThin: [4, 5, 6],
          talkToPartner: [1, 2, 3, 4, 5, 6],
        },
        edges: ["quit conflicts stay", "savingsCover conflicts savingsTooThin"],
      },
      "one claim with support to spare against several": {
        experts: 5,
        claims: { build: [1, 2, 3, 4], buy: [2, 3, 4, 5], rent: [1, 3, 5] },
        edges: ["build conflicts buy", "buy conflicts rent"],
      },
    },
    near: {
      "a lone voice against what all say": {
        shape: "settled",
        experts: 5,
        claims: { vaccinate: [1, 2, 3, 4], boost: [1, 2, 3, 4, 5], doNot: [5] },
        edges: ["vaccinate conflicts doNot"],
      },
      "two minorities in conflict beside what all say": {
        shape: "settled",
        experts: 6,
        claims: { red: [1, 2], blue: [3, 4], paint: [1, 2, 3, 4, 5, 6], prime: [1, 2, 4, 5, 6] },
        edges: ["red conflicts blue"],
      },
      "strong claims that support each other": {
        shape: "settled",
        experts: 4,
        claims: { walk: [1, 2, 3], sleep: [2, 3, 4] },
        edges: ["walk supports sleep"],
      },
    },
  },
  {
    shape: "tradeoff",
    clear: {
      "four experts, speed for quality": {
        experts: 4,
        claims: { fast: [1, 2, 3], good: [2, 3, 4] },
        edges: ["fast tradeoff good"],
      },
      "five experts, one thing for two others": {
        experts: 5,
        claims: { central: [1, 2, 3, 4], cheap: [2, 3, 4, 5], large: [1, 2, 3, 5], parking: [1] },
        edges: ["central tradeoff cheap", "central tradeoff large"],
      },
      "with a minority's conflict beside it": {
        experts: 6,
        claims: { pay: [1, 2, 3, 4, 5], freedom: [1, 3, 4, 5, 6], luck: [2], skill: [6] },
        edges: ["pay tradeoff freedom", "luck conflicts skill"],
      },
    },
    near: {
      "for something that one of five mentions": {
        shape: "settled",
        experts: 5,
        claims: { train: [1, 2, 3, 4], book: [1, 2, 3, 4, 5], scenic: [5] },
        edges: ["train tradeoff scenic"],
      },
      "with a conflict between strong claims as well": {
        shape: "contested",
        experts: 4,
        claims: { a: [1, 2, 3], b: [2, 3, 4], c: [1, 2, 4] },
        edges: ["a tradeoff b", "b conflicts c"],
      },
      "between minorities": {
        shape: "exploratory",
        experts: 6,
        claims: { sea: [1, 2], hills: [3, 4], town: [5], farm: [6] },
        edges: ["sea tradeoff hills"],
      },
    },
  },
  {
    shape: "contextual",
    clear: {
      "two conditions with different advice on each": {
        experts: 4,
        types: { ifLong: "conditional", ifShort: "conditional" },
        claims: {
          ifLong: [1, 2],
          ifShort: [1, 3],
          buy: [1, 2],
          mortgage: [2],
          rent: [3],
          notice: [3],
        },
        edges: [
          "ifLong prerequisite buy",
          "buy prerequisite mortgage",
          "ifShort prerequisite rent",
          "rent prerequisite notice",
        ],
      },
      "conditions that exclude each other": {
        experts: 5,
        types: { ifVisa: "conditional", ifNoVisa: "conditional" },
        claims: { ifVisa: [1], ifNoVisa: [2], apply: [1, 3], workAbroad: [4] },
        edges: [
          "ifVisa conflicts ifNoVisa",
          "ifVisa prerequisite apply",
          "ifNoVisa prerequisite workAbroad",
        ],
      },
      "a question that leads to three conditions": {
        experts: 4,
        types: { ifMild: "conditional", ifSevere: "conditional", ifUnclear: "conditional" },
        claims: {
          measure: [1, 2],
          ifMild: [1],
          ifSevere: [2],
          ifUnclear: [3],
          rest: [1],
          surgeon: [2],
          scan: [3],
        },
        edges: [
          "measure prerequisite ifMild",
          "measure prerequisite ifSevere",
          "measure prerequisite ifUnclear",
          "ifMild prerequisite rest",
          "ifSevere prerequisite surgeon",
          "ifUnclear prerequisite scan",
        ],
      },
    },
    near: {
      "two conditions for the same advice": {
        shape: "settled",
        experts: 4,
        types: { ifIncome: "conditional", ifSavings: "conditional" },
        claims: { ifIncome: [1], ifSavings: [2], buy: [1, 2, 3, 4] },
        edges: ["ifIncome prerequisite buy", "ifSavings prerequisite buy"],
      },
      "conditions in one row": {
        shape: "linear",
        experts: 4,
        types: { ifDegree: "conditional", ifLicence: "conditional" },
        claims: { ifDegree: [1], ifLicence: [2], practise: [3] },
        edges: ["ifDegree prerequisite ifLicence", "ifLicence prerequisite practise"],
      },
      "one condition only": {
        shape: "exploratory",
        experts: 5,
        types: { ifDry: "conditional" },
        claims: { ifDry: [1], plant: [2], water: [3], mulch: [4] },
        edges: ["ifDry prerequisite plant", "ifDry prerequisite water"],
      },
    },
  },
  {
    shape: "keystone",
    clear: {
      "four things rest on one": {
        experts: 4,
        claims: { budget: [1, 2, 3], venue: [1], food: [2], music: [3], guests: [4] },
        edges: [
          "budget prerequisite venue",
          "budget prerequisite food",
          "budget prerequisite music",
          "budget prerequisite guests",
        ],
      },
      "what leads up to it has more to carry and is not it": {
        experts: 5,
        claims: { call: [1], diagnosis: [1, 2, 3, 4], diet: [1], drugs: [2], rest: [3], work: [4] },
        edges: [
          "call prerequisite diagnosis",
          "diagnosis prerequisite diet",
          "diagnosis prerequisite drugs",
          "diagnosis prerequisite rest",
          "diagnosis prerequisite work",
        ],
      },
      "through others": {
        experts: 4,
        claims: { idea: [1, 2], market: [1], team: [2], price: [3], hire: [4], pay: [1], ads: [2] },
        edges: [
          "idea prerequisite market",
          "idea prerequisite team",
          "market prerequisite price",
          "market prerequisite ads",
          "team prerequisite hire",
          "team prerequisite pay",
        ],
      },
    },
    near: {
      "two dependents only": {
        shape: "exploratory",
        experts: 5,
        claims: { soil: [1], seed: [2], water: [3], fence: [4], gate: [5] },
        edges: ["soil prerequisite seed", "soil prerequisite water"],
      },
      "three of ten": {
        shape: "exploratory",
        experts: 5,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], f: [1], g: [2], h: [3], i: [4], j: [5] },
        edges: ["a prerequisite b", "a prerequisite c", "a prerequisite d"],
      },
      "two that carry equally much": {
        shape: "dimensional",
        experts: 5,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], f: [1], g: [2], h: [3] },
        edges: [
          "a prerequisite b",
          "a prerequisite c",
          "a prerequisite d",
          "e prerequisite f",
          "e prerequisite g",
          "e prerequisite h",
        ],
      },
    },
  },
  {
    shape: "linear",
    clear: {
      "five steps": {
        experts: 4,
        claims: { plan: [1, 2], permit: [1], dig: [2], build: [3], paint: [4] },
        edges: [
          "plan prerequisite permit",
          "permit prerequisite dig",
          "dig prerequisite build",
          "build prerequisite paint",
        ],
      },
      "four steps with a short cut": {
        experts: 4,
        claims: { learn: [1, 2], practise: [1], test: [2], drive: [3] },
        edges: [
          "learn prerequisite practise",
          "practise prerequisite test",
          "test prerequisite drive",
          "learn prerequisite test",
        ],
      },
      "with a support beside the steps": {
        experts: 6,
        claims: { a: [1, 2], b: [1], c: [2], d: [3], e: [4], aside: [5] },
        edges: [
          "a prerequisite b",
          "b prerequisite c",
          "c prerequisite d",
          "d prerequisite e",
          "aside supports e",
        ],
      },
    },
    near: {
      "two steps": {
        shape: "exploratory",
        experts: 5,
        claims: { a: [1], b: [2], c: [3], d: [4] },
        edges: ["a prerequisite b"],
      },
      "three steps of six connected claims": {
        shape: "dimensional",
        experts: 5,
        claims: { a: [1], b: [2], c: [3], x: [4], y: [5], z: [1] },
        edges: ["a prerequisite b", "b prerequisite c", "x supports y", "y supports z"],
      },
      "steps in a circle": {
        shape: "exploratory",
        experts: 5,
        claims: { a: [1], b: [2], c: [3] },
        edges: ["a prerequisite b", "b prerequisite c", "c prerequisite a"],
      },
    },
  },
  {
    shape: "settled",
    clear: {
      "four experts who agree": {
        experts: 4,
        claims: { save: [1, 2, 3, 4], index: [1, 2, 3], fees: [2, 3, 4], gold: [1] },
        edges: ["fees supports index"],
      },
      "one claim that everyone makes": { experts: 6, claims: { see: [1, 2, 3, 4, 5, 6] } },
      "with one voice against it": {
        experts: 5,
        claims: { stop: [1, 2, 3, 4, 5], patch: [1, 2, 3, 4], gum: [1, 2, 3, 5], never: [4] },
        edges: ["stop conflicts never"],
      },
    },
    near: {
      "half of the support elsewhere": {
        shape: "exploratory",
        experts: 4,
        claims: { a: [1, 2], b: [1], c: [2] },
      },
      "agreement that stands against agreement": {
        shape: "contested",
        experts: 4,
        claims: { a: [1, 2, 3], b: [2, 3, 4], c: [1, 2, 3, 4] },
        edges: ["a conflicts b"],
      },
      "two experts of five on each": {
        shape: "exploratory",
        experts: 5,
        claims: { a: [1, 2], b: [2, 3], c: [3, 4], d: [4, 5] },
      },
    },
  },
  {
    shape: "dimensional",
    clear: {
      "three sides of a question": {
        experts: 5,
        claims: { rent: [1], bills: [2], sleep: [3], stress: [4], school: [5], friends: [1] },
        edges: ["rent supports bills", "sleep supports stress", "school supports friends"],
      },
      "four experts, two sides": {
        experts: 4,
        claims: { tax: [1], law: [2], form: [3], look: [4], feel: [1], sound: [2] },
        edges: [
          "tax supports law",
          "law supports form",
          "look supports feel",
          "feel tradeoff sound",
        ],
      },
      "with a claim that stands alone": {
        experts: 6,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], f: [6], alone: [1] },
        edges: ["a supports b", "c supports d", "e prerequisite f"],
      },
    },
    near: {
      "one side outweighs the other": {
        shape: "exploratory",
        experts: 5,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], x: [1], y: [2] },
        edges: ["a supports b", "b supports c", "c supports d", "d supports e", "x supports y"],
      },
      "sides of which one is agreed on": {
        shape: "settled",
        experts: 4,
        claims: { a: [1, 2, 3, 4], b: [1, 2, 3, 4], c: [1], d: [2] },
        edges: ["a supports b", "c supports d"],
      },
      "most claims belong to no side": {
        shape: "exploratory",
        experts: 5,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], f: [1], g: [2], h: [3] },
        edges: ["a supports b", "c supports d"],
      },
    },
  },
  {
    shape: "exploratory",
    clear: {
      "everyone says something else": {
        experts: 4,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [1], f: [2] },
      },
      "one loose link": {
        experts: 5,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], f: [1] },
        edges: ["a supports b"],
      },
      "a conflict between single voices": {
        experts: 6,
        claims: { a: [1], b: [2], c: [3], d: [4], e: [5], f: [6] },
        edges: ["a conflicts b"],
      },
    },
    near: {
      "agreement on one thing of few": {
        shape: "settled",
        experts: 4,
        claims: { a: [1, 2, 3, 4], b: [1], c: [2] },
      },
      "two links side by side": {
        shape: "dimensional",
        experts: 4,
        claims: { a: [1], b: [2], c: [3], d: [4] },
        edges: ["a supports b", "c supports d"],
      },
      "a chain": {
        shape: "linear",
        experts: 4,
        claims: { a: [1], b: [2], c: [3], d: [4] },
        edges: ["a prerequisite b", "b prerequisite c"],
      },
    },
  },
];
