import { z } from "zod";
import { MapperAnswerSchema } from "../../state/claims.ts";
import type { ModelRequest } from "../../state/model.ts";
import type { ScriptEntry } from "./scripted-model.ts";

/** Sees the answers of a thread's mapper and what its concierges are asked. */
export interface ClaimWatch {
  readonly noteMap: (answer: ScriptEntry) => void;
  readonly checkPrompt: (request: ModelRequest) => void;
}

const MapAnswer = z.object({ json: MapperAnswerSchema.pick({ claims: true }) });

/** Claims that a prompt of the test at hand showed more than once, each with its prompt. */
const repeated: string[] = [];

/** Takes the claims that prompts have shown more than once since they were taken last. */
export function takeRepeatedClaims(): string[] {
  return repeated.splice(0);
}

/**
 * Makes the watch of a thread: no prompt of a concierge may hold the text of a claim twice, answers of the
 * concierge apart.
 */
export function watchClaims(): ClaimWatch {
  const texts = new Set<string>();
  return {
    noteMap: (answer) => {
      const map = MapAnswer.safeParse(answer);
      // A text that is quoted inside a sentence has lost its full stop.
      for (const { text } of map.data?.json.claims ?? []) texts.add(text.replace(/[.;,]+$/u, ""));
    },
    checkPrompt: ({ messages }) => {
      const prompt = messages
        .filter(({ role }) => role !== "assistant")
        .map(({ text }) => text)
        .join("\n");
      const twice = [...texts].filter((text) => prompt.split(text).length > 2);
      repeated.push(...twice.map((text) => `${text}\n\n${prompt}`));
    },
  };
}
