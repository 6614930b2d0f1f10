import type { Json } from "../../state/json.ts";
import type { ParsedPrompt } from "../../simulated-model/prompt/read-prompt.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../../test/support/turn-state.ts";

/** The messages of the conversation `draft`, which drafts a recipe and saves it in the next turn. */
const DRAFT_MESSAGES = ["draft a recipe for shakshuka", "save the draft"] as const;

const SHAKSHUKA = {
  ref: null,
  set: { name: "Shakshuka", servings: 2, ingredients: [{ name: "eggs" }] },
};

/** A model's answer: a text, an object, or calls of tools. */
export interface DraftAnswer {
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    readonly args: Readonly<Record<string, Json>>;
  }[];
}

/** Returns the answer of a model that drafts, which the simulated one does not; null outside of `DRAFT_MESSAGES`. */
export function answerDraft({ role, message, calls }: ParsedPrompt): DraftAnswer | null {
  const [draft, save] = DRAFT_MESSAGES;
  if (message !== draft && message !== save) return null;
  const isDraft = message === draft;
  switch (role) {
    case "understand":
      return writeText(JSON.stringify(understandAnswer()));
    case "think":
      return writeText(
        JSON.stringify(
          thinkAnswer({ steps: [makeStep({ stepType: isDraft ? "generate" : "write" })] }),
        ),
      );
    case "act":
      if (isDraft) return complete("A shakshuka", [SHAKSHUKA]);
      return calls.length > 0
        ? complete("Saved", [])
        : callTool("create_recipes", { rows: [], drafts: ["gen_recipe_1"] });
    case "reply":
      return writeText(
        isDraft ? "Here is a shakshuka for two. Shall I save it?" : "The shakshuka is saved.",
      );
    default:
      return null;
  }
}

function writeText(text: string): DraftAnswer {
  return { text, calls: [] };
}

function callTool(name: string, args: Readonly<Record<string, Json>>): DraftAnswer {
  return { text: "", calls: [{ name, args }] };
}

function complete(resultSummary: string, artifacts: Json[]): DraftAnswer {
  return callTool("complete_step", { resultSummary, noteForNextStep: null, refs: [], artifacts });
}
