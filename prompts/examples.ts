import type { Domain, Example } from "../state/domain.ts";
import { isJsonObject, type Json } from "../state/json.ts";
import type { ModelTier } from "../state/model.ts";
import type { Lane } from "../state/understanding.ts";
import { isCallList } from "./system-text.ts";

// Refs of a type that no registry has: one that is copied is sent back. Labels that no household
// has, since a copied label would not be noticed (models.md, "Traps").

/** Returns the example of Understand's prompt: the domain's own, or one that fits the lanes. */
export function chooseUnderstandExample(
  { examples }: Pick<Domain, "examples">,
  lanes: Readonly<Record<Lane, boolean>>,
): Example {
  if (!lanes.task) return ADVICE;
  return examples?.understand ?? EXCLUSION;
}

/** An exclusion by a property, and a wish that outlasts it. */
const EXCLUSION: Example = {
  shown: [
    "Listed Last: 1. thing_1 Red lamp 2. thing_2 Blue lamp (glass)",
    'Message: "not the glass one, and nothing over 50 euros please"',
  ],
  answer: {
    reasoning: "Excludes thing_2 and sets a price limit.",
    references: [{ text: "the glass one", ref: "thing_2" }],
    constraints: [
      {
        text: "nothing over 50 euros",
        kind: "soft",
        count: null,
        until: null,
        replaces: null,
        scope: "conversation",
      },
    ],
    needs: "talk",
    look: null,
    extras: {
      expressed: "Wants no glass and a low price",
      answersPending: null,
      curation: {
        retain: [],
        demote: [{ ref: "thing_2", reason: "glass" }],
        restore: [],
        drop: [],
        clearAll: false,
        summary: "Demoted thing_2 (glass)",
      },
      advice: null,
      rare: null,
    },
  },
};

/** An answer to the concierge, where there is no data to see or change. */
const ADVICE: Example = {
  shown: [
    'The concierge asked last: "Which matters more, the price or the light?"',
    'Message: "the light. and I never buy glass"',
  ],
  answer: {
    reasoning: "Answers the concierge and names a lasting rule.",
    references: [],
    constraints: [
      {
        text: "never glass",
        kind: "hard",
        count: null,
        until: null,
        replaces: null,
        scope: "person",
      },
    ],
    needs: "advise",
    look: null,
    extras: {
      expressed: "Wants good light",
      answersPending: null,
      curation: null,
      advice: {
        conciergePart: null,
        journey: "continue",
        journeyTo: null,
        planActions: [],
        rework: null,
        asksForPlan: null,
        commits: null,
        stance: "none",
        isNews: true,
      },
      rare: null,
    },
  },
};

/** Returns the example of Think's prompt: the domain's own, or one with the name of its first part. */
export function chooseThinkExample(
  { examples, subdomains }: Pick<Domain, "examples" | "subdomains">,
  tier: ModelTier = "full",
): Example {
  const example = examples?.think ?? createJudgingPlan(subdomains[0]?.name ?? "things");
  return tier === "small" ? removeGroups(example) : example;
}

/** Removes the groups of steps, which a small model is not asked for. */
function removeGroups(example: Example): Example {
  const { shown, answer } = example;
  if (typeof answer === "string" || isCallList(answer) || !Array.isArray(answer["steps"])) {
    return example;
  }
  const steps = answer["steps"].map((step: Json) => {
    if (!isJsonObject(step)) return step;
    const { group: _group, ...rest } = step;
    return rest;
  });
  return { shown, answer: { ...answer, steps } };
}

function createJudgingPlan(subdomain: string): Example {
  return {
    shown: [
      "Choices: 1. thing_1 Red lamp: 40 cm 2. thing_2 Blue lamp: 90 cm",
      'Message: "which of them fits a shelf of 50 cm?"',
    ],
    answer: {
      reasoning: "The heights are known and have to be judged.",
      goal: null,
      decision: "plan",
      steps: [
        {
          description: "Judge which lamps fit a shelf of 50 cm",
          stepType: "analyze",
          subdomain,
          group: 1,
          refs: ["thing_1", "thing_2"],
          writes: [],
        },
      ],
      calls: [],
      asks: [],
    },
  };
}

/** Returns the example of Act's prompt. */
export function chooseActExample({ examples }: Pick<Domain, "examples">): Example {
  return examples?.act ?? JUDGEMENT;
}

const JUDGEMENT: Example = {
  shown: [
    "Rows: thing_1 Red lamp: 40 cm; thing_2 Blue lamp: 90 cm",
    "Step 1 of 1 (analyze): Judge which lamps fit a shelf of 50 cm",
  ],
  answer: [
    {
      name: "complete_step",
      args: {
        resultSummary: "The red lamp fits, the blue one is too tall",
        noteForNextStep: null,
        refs: ["thing_1"],
      },
    },
  ],
};

/** Returns the example of Reply's prompt. */
export function chooseReplyExample({ examples }: Pick<Domain, "examples">): Example {
  return examples?.reply ?? REST_OF_A_REPLY;
}

/** A reply that leaves to the receipts what they say. */
const REST_OF_A_REPLY: Example = {
  shown: ["Already Shown: Added: Red lamp", 'Message: "take the red lamp. is there a green one?"'],
  answer: "There is no green lamp. Shall I note one down?",
};

/** The example of the mapper's prompt. */
export const MAPPER_EXAMPLE: Example = {
  shown: ["Answer 1: Red lamps save power.", "Answer 2: Red, never covered."],
  answer: {
    claims: [
      {
        id: "c1",
        label: "red lamp",
        text: "Take a red lamp.",
        why: "saves power",
        supporters: [1, 2],
        type: "prescriptive",
        stakes: "none",
      },
      {
        id: "c2",
        label: "no cover",
        text: "Never cover red lamps.",
        why: "",
        supporters: [2],
        type: "prescriptive",
        stakes: "harm",
      },
    ],
    edges: [{ from: "c2", to: "c1", type: "prerequisite", reason: "fire" }],
    gaps: [],
  },
};
