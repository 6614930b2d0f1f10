import { HEADINGS } from "../../prompts/headings.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import { UNCHECKED } from "../act/act.ts";
import type { Answer } from "../answer.ts";
import { COMPARE, QUICKEST } from "../language/request.ts";
import { joinNames, joinParagraphs, LACKING, lowerFirst } from "../phrase.ts";
import { hideRefs, introduce, UNREAD } from "../plan/sentences.ts";
import { belongsTo, withoutRefs } from "../prompt/read-entities.ts";
import { countLeftOut, readRows } from "../prompt/read-rows.ts";
import { type ParsedPrompt, readBullets, readFenced } from "../prompt/read-prompt.ts";
import { BRING_BACK, LEAVE_OUT } from "../understand/curate.ts";
import { lookBack } from "./look-back.ts";
import { listRows, readMinutes, showWhole } from "./rows.ts";

/** Says what came of a message, from what the prompt holds and nothing else. */
export function reply(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  const execution = readExecution(prompt, words);
  const report = lookBack(execution.why, prompt);
  if (report !== "") return { kind: "text", text: report };
  const parts = [
    describeUnread,
    acknowledge,
    describeFailures,
    describeKept,
    describeLeftOut,
    describeShown,
    repeatQuestions,
  ];
  const text = joinParagraphs(parts.map((describe) => describe(execution)));
  return {
    kind: "text",
    text: text || (execution.hasReceipts ? "That is done." : introduce(words)),
  };
}

/** Everything that Reply's prompt says. */
type Execution = ReturnType<typeof readExecution>;

function readExecution({ section }: ParsedPrompt, { roles }: SimulatedWords) {
  const execution = section(HEADINGS.execution);
  const outcomes = readBullets(execution);
  const table = readFenced("data", section(HEADINGS.rows));
  const goal = /^Goal: (.*)$/m.exec(execution)?.[1] ?? "";
  // Beside what can be chosen, what is there was looked at only to judge it.
  const all = readRows(table);
  const chosen = all.filter(({ ref }) => belongsTo(ref, roles.choices));
  const rows = CHOICE.test(goal) && chosen.length > 0 ? chosen : all;
  const flow = section(HEADINGS.conversationFlow);
  const [, expressed = ""] =
    /^- User expressed: (.*)$/m.exec(flow.split("**This exchange:**")[1] ?? "") ?? [];
  const listAfter = (opening: string): string[] =>
    expressed
      .split("; ")
      .flatMap((part) => (part.startsWith(opening) ? part.slice(opening.length).split(", ") : []));
  return {
    goal,
    why: /^Why: (.*)$/m.exec(execution)?.[1] ?? "",
    outcomes,
    // Where code's own lines say what was stored and what was not.
    hasReceipts: section(HEADINGS.receipts) !== "",
    rows,
    more: countMore(outcomes, rows.length, countLeftOut(table)),
    // What is left of a choice can be put on a day.
    hasDays: roles.schedule !== null,
    excluded: flow.includes("Filtered out ") ? listAfter(LEAVE_OUT) : [],
    restored: listAfter(BRING_BACK),
    wishes: readBullets(section(HEADINGS.wishes)).filter((wish) => wish.startsWith("no ")),
  };
}

/** Counts the rows that were found and are not shown: of one look all of them, of several those that had no room. */
function countMore(outcomes: readonly string[], shown: number, leftOut: number): number | null {
  const looks = outcomes.map((line) => /: Found ([\d,]+) \D+?(?: of ([\d,]+))?$/.exec(line) ?? []);
  const [, found, total = found] = looks[0] ?? [];
  if (looks.length > 1) return looks.some(([, , all]) => all !== undefined) ? null : leftOut;
  return total === undefined ? leftOut : Math.max(0, Number(total.replaceAll(",", "")) - shown);
}

/** Says which words of a message were passed over, beside what is shown. */
function describeUnread({ why, outcomes, excluded }: Execution): string {
  return why.startsWith(UNREAD) && outcomes.length + excluded.length > 0 ? why : "";
}

const REMAIN = "Show the options that remain";

/** Opens the goal of a look at what can be chosen: what was left out before is known by then. */
const CHOICE = /^(?:Show what can be chosen|Suggest)/;

function acknowledge({ excluded, restored, goal, wishes }: Execution): string {
  const out = excluded.length === 0 ? "" : `All right: no ${joinNames(excluded, "or")}.`;
  const back = restored.length === 0 ? "" : `Back again: ${joinNames(restored)}.`;
  if (out !== "" || back !== "") return joinParagraphs([out, back]);
  return goal.endsWith(REMAIN) && wishes.length > 0 ? `All right: ${joinNames(wishes)}.` : "";
}

/** Says which dishes an analysis left out and why, and what is back and cannot be cooked all the same. */
function describeLeftOut({ goal, outcomes, restored, rows, more, wishes }: Execution): string {
  const judged = outcomes.filter((line) => /: \d+ [\w ]+ (?:fit|remain)\b/.test(line));
  const leftOut = judged.flatMap((line) => /; left out: (.*)$/.exec(line)?.[1] ?? []);
  // What must hold is said anew, with the dishes.
  const isKnown = CHOICE.test(goal) && !wishes.some((wish) => wish.includes("must hold"));
  const named = [...leftOut, ...rows.map(({ label }) => label)].join("\n");
  const missing = restored.filter((label) => !named.includes(label));
  // What is missing in stock was not judged by the wishes, which hold for it all the same.
  const reasons = isKnown ? wishes : leftOut;
  return joinParagraphs([
    reasons.length === 0 ? "" : `Left out because of your wishes: ${reasons.join(", ")}.`,
    missing.length === 0 || more !== 0 || !judged.some((line) => line.includes(" fit the "))
      ? ""
      : `Something is missing for ${joinNames(missing)}.`,
  ]);
}

const NOT_WHOLE = / \((?:failed|partial|blocked|skipped)\): (.*)$/;

/** A step that another one kept from being begun. */
const SKIPPED = /^(Show .*) \(skipped\): /;

/** Says why a step did not come to its end, and what was not looked at for it; the rows that are not stored are shown already. */
function describeFailures({ outcomes }: Execution): string {
  const looks = outcomes.flatMap((line) => SKIPPED.exec(line)?.[1] ?? []);
  const reasons = outcomes
    .filter((line) => !line.includes(" (skipped): "))
    .flatMap((line) => NOT_WHOLE.exec(line)?.[1] ?? [])
    .map((reason) => withoutRefs(reason.replace(/\s*Not done: .*$/, "")))
    .filter((reason) => reason !== "");
  const left =
    looks.length === 0 ? [] : [`I did not get to “${looks.map(lowerFirst).join("; ")}”.`];
  return [...reasons, ...left].join("\n");
}

/** The questions of the steps that asked. */
function repeatQuestions({ outcomes }: Execution): string {
  return joinParagraphs(outcomes.flatMap((line) => / \(asked\): (.*)$/.exec(line)?.[1] ?? []));
}

/** Says what was left as it was, beside what was stored; of a step that is not whole its reason says it. */
function describeKept({ outcomes, hasReceipts }: Execution): string {
  if (!hasReceipts) return "";
  const whole = outcomes.filter((line) => !NOT_WHOLE.test(line));
  const notes = whole.flatMap((line) => line.match(/"[^"]+" is already [^";]+/g) ?? []);
  return notes.map((note) => `${note}.`).join("\n");
}

/** Says what was looked for, and where: nothing is said of any other place. */
function describeNothing(goal: string): string {
  const searches = goal.split("; ").map((look) => /^Show (.+) (called "[^"]+")$/.exec(look));
  const called = searches[0]?.[2];
  return called !== undefined && searches.every((search) => search?.[2] === called)
    ? `I found nothing ${called} in ${joinNames(
        searches.flatMap((search) => search?.[1] ?? []),
        "or",
      )}.`
    : `I found nothing for “${hideRefs(lowerFirst(goal))}”.`;
}

/** Says in a step's line that something is missing, or that all is there. */
const COMPARED = new RegExp(`: ((?:${LACKING}|Everything) for .*)$`);

const TWO_LOOKS = /^Show the ([^"]+) called "[^"]*"; Show the [^"]+ called "[^"]*"$/;

function describeShown({ goal, why, rows, outcomes, more, ...said }: Execution): string {
  const compared = outcomes.flatMap((line) => COMPARED.exec(line)?.[1]?.split("; ") ?? []);
  if (goal.includes(COMPARE))
    return compared.length === 0
      ? ""
      : joinParagraphs([`${compared.join(".\n")}.`, "I did not compare the amounts."]);
  const showsRest = goal.includes(REMAIN) || said.excluded.length + said.restored.length > 0;
  if (!showsRest && !/(?:^|; )(?:Show|Suggest)\b/.test(goal))
    return outcomes.length === 0 ? why : "";
  const [, meant, known] = /(?:^|; )Show "([^"]+)"(?: \((\w+)\))?/.exec(goal) ?? [];
  const named = rows.filter((row) => row.label === meant);
  // A planned meal is called like its dish.
  const [one, ...others] = named.length > 1 ? named.filter(({ ref }) => ref === known) : named;
  const isAlone = goal.split('Show "').length === 2 && others.length === 0;
  if (one !== undefined && isAlone) return showWhole(one);
  const [only] = rows;
  const hidden =
    more === 0 ? "" : `\n\n${more ?? "Some"} more ${more === 1 ? "is" : "are"} not shown here.`;
  if (only === undefined) {
    // A look that was not reached found nothing either.
    const isWhole = !outcomes.some((line) => NOT_WHOLE.test(line));
    return showsRest ? "Nothing is left to choose from." : isWhole ? describeNothing(goal) : "";
  }
  // One thing was looked for on the list and in stock.
  const isStock = rows.every(({ cells }) => "purchased" in cells || "location" in cells);
  const [, heading] = (isStock && TWO_LOOKS.exec(goal)) || [];
  if (rows.length === 1 && heading === undefined && /(?:^|; )Show "|called "/.test(goal))
    return showWhole(only);
  if (showsRest) {
    return `${rows.length === 1 ? "This is" : "These are"} left to choose from:\n${listRows(rows)}${hidden}\n\nShall I ${said.hasDays ? "put one of them on a day, or " : ""}leave out more?`;
  }
  if (!/(?:^|; )(?:Show what can be chosen|Suggest)/.test(goal))
    return `${listRows(rows, heading)}${hidden}`;
  const lead = outcomes.some((line) => /: \d+ [\w ]+ fit the /.test(line))
    ? "; what they need is there:"
    : outcomes.some((line) => line.includes(UNCHECKED))
      ? ". I do not see all that is in stock here, so something may be missing for them:"
      : ":";
  const byTime = goal.includes(QUICKEST);
  const order = byTime
    ? rows.toSorted((one, other) => readMinutes(one) - readMinutes(other))
    : rows;
  return `You could choose from these${byTime ? ", the quickest first" : ""}${lead}\n${listRows(order)}${hidden}\n\nShall I put one of them on a day, or leave some out?`;
}
