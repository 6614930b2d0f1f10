import { oneLine } from "../text/fence.ts";
import type { PlannedStep } from "./workflow-progress.ts";

const STEP = /^\s{0,3}(?:#{1,6}\s+)?(?:\*\*)?(?:step\s+)?(\d{1,2})[.):]\s*(.+)$/i;
const DONE = /^\s*(?:[-*]\s+)?\**done when\**\s*:?\**\s*(.+)$/i;

/** Reads the numbered steps of a plan written as text: title, what follows it, and "Done when". Linear, total. */
export function readPlan(plan: string): PlannedStep[] {
  const steps: { title: string; description: string[]; doneWhen: string }[] = [];
  for (const line of plan.split("\n")) {
    const [, , head] = STEP.exec(line) ?? [];
    const current = steps.at(-1);
    if (head !== undefined) {
      const { title, rest } = splitHead(head);
      steps.push({ title, description: rest === "" ? [] : [rest], doneWhen: "" });
      continue;
    }
    const [, done] = DONE.exec(line) ?? [];
    if (current === undefined || line.trim() === "" || /^\s*#/.test(line)) continue;
    if (done !== undefined) current.doneWhen = plain(done);
    // What is indented belongs to the step; what stands at the margin is the plan's again.
    else if (/^\s/.test(line)) current.description.push(plain(line));
  }
  return steps.map(({ title, description, doneWhen }) => ({
    title,
    description: description.join(" "),
    doneWhen,
  }));
}

/** `**Title** — what to do` or `Title: what to do`. */
function splitHead(head: string): { readonly title: string; readonly rest: string } {
  const [, bold, after] = /^\**([^*]+)\*\*\s*[—–:-]*\s*(.*)$/.exec(head) ?? [];
  if (bold !== undefined) return { title: plain(bold), rest: plain(after ?? "") };
  const cut = head.search(/\s[—–]\s|:\s/);
  if (cut < 0) return { title: plain(head), rest: "" };
  return {
    title: plain(head.slice(0, cut)),
    rest: plain(head.slice(cut).replace(/^\s*[—–:]\s*/, "")),
  };
}

function plain(text: string): string {
  return oneLine(text.replaceAll("**", "").replace(/^\s*[-*]\s+/, ""));
}
