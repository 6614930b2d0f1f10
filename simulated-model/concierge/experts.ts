import { HEADINGS } from "../../prompts/headings.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import type { MapperAnswer } from "../../state/claims.ts";
import { type Answer, answerValue } from "../answer.ts";
import { NO_ADVICE } from "../plan/sentences.ts";
import { nonEmptyLines, type ParsedPrompt, readSections } from "../prompt/read-prompt.ts";
import { ALL_BATCHES, findBatch } from "./topic.ts";

/** Gives one expert's answer: the sentences of the topic that its view holds, one a line. */
export function adviseAsExpert({ transcript, section }: ParsedPrompt): Answer {
  const asked = transcript.findLast(({ role }) => role === "user")?.text ?? "";
  const batch = findBatch(readSections(asked).get(HEADINGS.question) ?? "");
  if (batch === null) return { kind: "text", text: NO_ADVICE };
  const view = section(HEADINGS.expertView);
  const lens = DEFAULT_LENSES.find((each) => each.lens !== null && view.includes(each.lens));
  const sentences = [...batch.claims, ...batch.gaps].filter(({ views }) =>
    views.includes(lens?.id ?? "role"),
  );
  return { kind: "text", text: sentences.map(({ text }) => text).join("\n") };
}

const MOST_CLAIMS = 25;

/** Maps numbered answers: each sentence is a claim, supported by every answer that has it; a question is a gap. */
export function mapAnswers({ section }: ParsedPrompt): Answer {
  const answers = section(HEADINGS.answers).matchAll(/^<answer>\n([\s\S]*?)\n?<\/answer>$/gm);
  const lines = [...answers].flatMap(([, body = ""], index) =>
    nonEmptyLines(body).map((line) => ({ text: line.trim(), supporter: index + 1 })),
  );
  const points = Map.groupBy(lines, ({ text }) => text);
  points.delete(NO_ADVICE);
  // The weightiest first; equals stay in the order of the answers.
  const kept = [...points]
    .filter(([text]) => !text.endsWith("?"))
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_CLAIMS);
  const known = ALL_BATCHES.flatMap((batch) => batch.claims);
  const claims = kept.map(([text, supported], index): MapperAnswer["claims"][number] => {
    const claim = known.find((each) => each.text === text);
    const {
      label = text.slice(0, 48),
      type = "prescriptive",
      why = "",
      stakes = "none",
    } = claim ?? {};
    const supporters = [...new Set(supported.map(({ supporter }) => supporter))];
    return { id: `c${index + 1}`, label, text, why, supporters, type, stakes };
  });
  const edges = ALL_BATCHES.flatMap((batch) => {
    const findId = (id: string): string | undefined => {
      const text = batch.claims.find((claim) => claim.id === id)?.text;
      return claims.find((claim) => claim.text === text)?.id;
    };
    return batch.edges.flatMap((edge) => {
      const [from, to] = [findId(edge.from), findId(edge.to)];
      return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
    });
  });
  const gaps = [...points.keys()].filter((text) => text.endsWith("?"));
  return answerValue({ claims, edges, gaps } satisfies MapperAnswer);
}
