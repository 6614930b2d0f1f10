import { HEADINGS } from "../../prompts/headings.ts";
import { type Clause, describeClause } from "../language/request.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import { joinParagraphs, joinQuoted } from "../phrase.ts";
import { readNamed } from "../prompt/read-entities.ts";
import { type ParsedPrompt, readFenced } from "../prompt/read-prompt.ts";
import { holdsName } from "../understand/match-things.ts";

const VERBS: Readonly<Record<string, string>> = {
  created: "added",
  updated: "changed",
  deleted: "deleted",
  noted: "noted the wish",
  forgot: "forgot the wish",
};

/** Hands what Understand is shown of the last changes, and what is asked about them, on to Reply, which is shown those before; null where nothing is asked. */
export function reportDeeds(
  clauses: readonly Clause[],
  { section }: ParsedPrompt,
  words: SimulatedWords,
): string | null {
  const plan = /^\d+\. .*\(step_\d/m.test(section(HEADINGS.phase)) ? PLAN_TOO : "";
  const clause = clauses.find(({ kind }) => kind === "report");
  if (clause === undefined) return null;
  const lines = section(HEADINGS.lastTurns).split("\n");
  const deeds = lines.flatMap((line) => {
    const [, verb = "", rest = ""] = /^- [ew]\d+: (\w+) (.+)$/.exec(line) ?? [];
    const labels = readNamed(rest).map(({ label }) => label);
    const names = (labels.length > 0 ? labels : [rest]).map((name) => name.replaceAll(/[“”]/g, ""));
    return verb in VERBS ? [`${verb} “${names.join(", ")}”`] : [];
  });
  return `${describeClause(clause, words)}: ${deeds.join("; ")}${plan}`;
}

/** Says of the conversation that it has a plan. */
const PLAN_TOO = "; and a plan";

const REPORT = /^Report(?: (created|updated|deleted))?((?:,? "[^"]*")*): ?(.*)$/;

/** Says what was changed in the conversation, as far as the prompt shows it; empty where it is not asked about. */
export function lookBack(why: string, { section }: ParsedPrompt): string {
  const [report, wanted, listed = "", last = ""] = REPORT.exec(why) ?? [];
  if (report === undefined) return "";
  const earlier = readFenced("data", section(HEADINGS.earlierTurns));
  const names = [...listed.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);
  const all = [...readEarlier(earlier), ...readDeeds(last, /(\w+) “([^”]*)”/g)].filter(
    (deed) => names.length === 0 || names.some((name) => holdsName(deed.names, name)),
  );
  // What was added and taken away again is not there.
  const asked = all.filter(({ verb }) => wanted === undefined || verb === wanted);
  const deeds = all.filter(
    (deed) =>
      asked.includes(deed) ||
      (deed.verb === "deleted" && asked.some((each) => each.names === deed.names)),
  );
  const [, hidden] = /^- and (\d+) more turns?$/m.exec(earlier) ?? [];
  const called = names.length === 0 ? "" : ` called ${joinQuoted(names)}`;
  const lines = deeds.map((deed) => `- ${VERBS[deed.verb]} ${deed.names}`);
  const seen =
    hidden === undefined ? "As far back as I can see," : "In the messages that I can see";
  return joinParagraphs([
    lines.length === 0
      ? `${seen} I ${VERBS[wanted ?? "updated"]} nothing${called} in your data.`
      : `${seen} I have done this, oldest first:\n${lines.join("\n")}`,
    hidden === undefined ? "" : `Older messages that I cannot see: ${hidden}.`,
    last.endsWith(PLAN_TOO)
      ? "This is about your stored data only. What has become of the plan, you see with “where are we in the plan?”."
      : "",
  ]);
}

/** The changes of older turns: `- Turn 1: Add "milk" to the list; created milk; the person said “add milk”`. */
function readEarlier(lines: string) {
  return lines.split("\n").flatMap((line) => {
    const [own = ""] = line.split("; the person said “");
    // A semicolon can belong to a label, and a verb to a quoted name.
    const [, stored = ""] =
      /^(?:[^"]|"[^"]*")*?(; (?:created|updated|deleted) .*)$/.exec(own) ?? [];
    if (own.endsWith("; nothing was stored")) return [];
    const [deeds = ""] = stored.split("; drafted ");
    return readDeeds(
      deeds,
      /; (created|updated|deleted) (.+?)(?=; (?:created|updated|deleted) |$)/g,
    );
  });
}

/** Reads the rows that were changed in one go. */
function readDeeds(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].map(([, verb = "", names = ""]) => {
    return { verb, names: /^\d+$/.test(names) ? `${names} that I no longer know by name` : names };
  });
}
