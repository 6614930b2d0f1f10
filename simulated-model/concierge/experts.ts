import { HEADINGS } from "../../prompts/headings.ts";
import type { MapperAnswer } from "../../state/claims.ts";
import { type Answer, answerValue } from "../answer.ts";
import { NO_ADVICE } from "../plan/sentences.ts";
import { nonEmptyLines, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { ALL_BATCHES, findBatch, findView } from "./topic.ts";

/** Gives one expert's answer: the sentences of the topic that its view holds, one a line. */
export function adviseAsExpert({ transcript, section }: ParsedPrompt): Answer {
  const request = transcript.findLast(({ role }) => role === "user")?.text ?? "";
  const batch = findBatch(request);
  if (batch === null) return { kind: "text", text: NO_ADVICE };
  const view = findView(section(HEADINGS.expertView));
  const sentences = [...batch.claims, ...batch.gaps].filter(({ views }) => views.includes(view));
  return { kind: "text", text: sentences.map(({ text }) => text).join("\n") };
}

const MOST_CLAIMS = 25;

/** Maps numbered answers: each sentence is a claim, supported by every answer that has it; a question is a gap. */
export function mapAnswers({ section }: ParsedPrompt): Answer {
  const points = new Map<string, Set<number>>();
  const answers = [...section(HEADINGS.answers).matchAll(/^<answer>\n([\s\S]*?)\n?<\/answer>$/gm)];
  for (const [index, [, body = ""]] of answers.entries()) {
    for (const line of nonEmptyLines(body)
      .map((each) => each.trim())
      .filter((each) => each !== NO_ADVICE)) {
      points.set(line, (points.get(line) ?? new Set()).add(index + 1));
    }
  }
  const gaps = [...points.keys()].filter((text) => text.endsWith("?"));
  const statements = [...points].filter(([text]) => !text.endsWith("?"));
  // The weightiest first; equals stay in the order of the answers.
  const kept = statements.toSorted(([, a], [, b]) => b.size - a.size).slice(0, MOST_CLAIMS);
  const known = ALL_BATCHES.flatMap(({ claims }) => claims);
  const claims = kept.map(([text, supporters], index): MapperAnswer["claims"][number] => {
    const { label = text.slice(0, 48), type = "prescriptive" } =
      known.find((claim) => claim.text === text) ?? {};
    return { id: `c${index + 1}`, label, text, supporters: [...supporters], type };
  });
  const edges = ALL_BATCHES.flatMap((batch) => {
    const findId = (id: string): string[] => {
      const text = batch.claims.find((claim) => claim.id === id)?.text;
      return claims.filter((claim) => claim.text === text).map((claim) => claim.id);
    };
    return batch.edges.flatMap(({ from, to, type, reason }) => {
      const [one, other] = [findId(from)[0], findId(to)[0]];
      return one === undefined || other === undefined
        ? []
        : [{ from: one, to: other, type, reason }];
    });
  });
  return answerValue({ claims, edges, gaps } satisfies MapperAnswer);
}
