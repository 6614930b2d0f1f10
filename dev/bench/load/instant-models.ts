import type { Models } from "../../../app/open-models.ts";
import type { LanguageModel, ModelRequest, ModelRole } from "../../../state/model.ts";
import { everyRole } from "../../../test/support/every-role.ts";
import {
  NARRATIVE_ANSWER,
  thinkAnswer,
  understandAnswer,
} from "../../../test/support/turn-state.ts";

/** What is answered where an object is asked for; anything else is told in words. */
const OBJECTS: Partial<Record<ModelRole, unknown>> = {
  understand: understandAnswer(),
  think: thinkAnswer({ decision: "answer", steps: [] }),
  summarize: NARRATIVE_ANSWER,
};

/** Long enough to be told in pieces, as models do. */
const WORDS = "Gladly: there is enough of everything, and nothing has to be bought today.".split(
  " ",
);

/** Models that answer at once, without computing anything: what a turn takes is the program's own. */
export function instantModels(): Models {
  const model: LanguageModel = { name: "instant", complete: async (request) => answer(request) };
  return everyRole(model);
}

function answer({ role, onText }: ModelRequest) {
  const json = OBJECTS[role];
  const text = json === undefined ? WORDS.join(" ") : JSON.stringify(json);
  if (json === undefined) WORDS.forEach((word, at) => onText?.(at === 0 ? word : ` ${word}`));
  return {
    text,
    json,
    toolCalls: [],
    truncated: false,
    usage: { input: 1_000, cached: 0, output: 50 },
  };
}
