import type {
  BatchView,
  ExpertView,
  NoticeView,
  StepView,
  ToolView,
  TurnEndView,
  TurnView,
  WaitView,
} from "./turn-view.ts";
import {
  countNoun,
  END_WORDS,
  nameTable,
  NODE_WORDS,
  NOT_COMPARED,
  OUTCOME_WORDS,
  PHASE_WORDS,
  REPLY_AGAIN,
  shortenToWidth,
  STEP_HELP,
  SUBJECT,
  WEIGHING,
} from "./words.ts";

/** A line about something that happened, with the event it came with. */
export interface TrailRow {
  readonly seq: number;
  readonly kind: "done" | "problem" | "detail";
  readonly text: string;
}

/** A turn in words. */
export interface TurnDescription {
  /** The activity that was begun last; null before the first one, and once the turn has ended. */
  readonly status: { readonly seq: number; readonly text: string } | null;
  /** One row for each plan, read, write, expert's answer, change of phase and problem, and for each step that read and wrote nothing. */
  readonly rows: readonly TrailRow[];
}

/** Describes a turn, in the order of its events: a further event adds rows at the end and changes none. */
export function describeTurn(view: TurnView): TurnDescription {
  const { goals, steps, experts, batches, phases, replies, notices, waits, end } = view;
  const rows = [
    ...goals.map(({ seq, goal }) => done(seq, `plan: ${goal}`)),
    ...steps.flatMap(describeStep),
    ...listStepHelp(experts).map((seq) => detail(seq, STEP_HELP)),
    ...experts.flatMap(describeExpert),
    ...batches.map(describeBatch),
    ...phases.map(({ seq, phase }) => detail(seq, `now: ${PHASE_WORDS[phase]}`)),
    ...waits.filter(isAnnounced).map(({ seq, label }) => detail(seq, label)),
    ...replies.flatMap(({ resets }) => resets.map((seq) => detail(seq, REPLY_AGAIN))),
    ...listShownNotices(notices).map(({ seq, node, text }) => detail(seq, `${node}: ${text}`)),
    ...describeEnd(end),
  ];
  return {
    status: view.status === "running" ? describeStatus(view) : null,
    rows: rows.toSorted((a, b) => a.seq - b.seq),
  };
}

/** Returns true for a time that was announced before it began: it stays a row, others are the activity of the moment. */
function isAnnounced({ seconds }: WaitView): boolean {
  return seconds === 0;
}

function describeWait({ seq, label, most }: WaitView): { seq: number; text: string } {
  return { seq, text: most === null ? label : `${label} (at most ${Math.ceil(most)} s)` };
}

function describeStatus({
  nodes,
  steps,
  experts,
  batches,
  waits,
}: TurnView): TurnDescription["status"] {
  const begun = [
    ...nodes.map(({ seq, name }) => ({ seq, text: NODE_WORDS[name] ?? null })),
    ...steps.map(({ startSeq: seq, description: text }) => ({ seq, text })),
    ...steps
      .flatMap(({ tools }) => tools)
      .map(({ startSeq: seq, tool, table }) => ({ seq, text: `${tool} ${nameTable(table)}` })),
    // The person does not wait for help with a step.
    ...experts
      .filter(({ purpose }) => purpose !== "step-help")
      .map(({ startSeq: seq, expert, purpose }) => {
        return { seq, text: `asking ${expert} about ${SUBJECT[purpose]}` };
      }),
    ...batches
      .filter(({ purpose }) => purpose !== "step-help")
      .map(({ seq }) => ({ seq, text: WEIGHING })),
    ...waits.filter((wait) => !isAnnounced(wait)).map(describeWait),
  ];
  return begun.reduce<TurnDescription["status"]>((last, { seq, text }) => {
    const isLater = seq !== null && text !== null && seq > (last?.seq ?? 0);
    return isLater ? { seq, text } : last;
  }, null);
}

function describeStep({ description, tools, end }: StepView): readonly TrailRow[] {
  const rows = tools.flatMap(describeTool);
  if (end === null) return rows;
  const { seq, status, outcome } = end;
  if (status === "failed" || status === "blocked") {
    return [...rows, problem(seq, `${description}: ${outcome}`)];
  }
  return status === "done" && rows.length === 0 ? [done(seq, outcome)] : rows;
}

function describeTool({ tool, table, end }: ToolView): readonly TrailRow[] {
  if (end === null) return [];
  const { seq, effect, ok, count, suppressed } = end;
  const name = nameTable(table);
  if (!ok) return [problem(seq, `${tool} ${name}: did not work`)];
  if (suppressed) return [done(seq, `from memory: ${name} (${count})`)];
  return [done(seq, `${effect === "read" ? "reading" : "writing"} ${name} … ${count}`)];
}

/** Lists the starts of the batches that help with a step. */
function listStepHelp(experts: readonly ExpertView[]): readonly number[] {
  const helping = experts.filter(({ purpose }) => purpose === "step-help");
  return [...Map.groupBy(helping, ({ batch }) => batch).values()].flatMap(
    ([first]) => first?.startSeq ?? [],
  );
}

function describeExpert({ expert, purpose, end }: ExpertView): readonly TrailRow[] {
  if (end === null) return [];
  const { seq, outcome, reason, ms } = end;
  const words = `${expert} on ${SUBJECT[purpose]}: ${OUTCOME_WORDS[outcome]}`;
  if (outcome === "late" || outcome === "cut") return [detail(seq, words)];
  if (outcome !== "failed") return [done(seq, `${words} (${(ms / 1_000).toFixed(1)} s)`)];
  return [problem(seq, reason === null ? words : `${words}: ${shortenToWidth(reason, 120)}`)];
}

function describeBatch({ seq, counts }: BatchView): TrailRow {
  if (counts === null) return detail(seq, NOT_COMPARED);
  const numbers = [
    countNoun(counts.claims, "claim"),
    countNoun(counts.tensions, "tension"),
    countNoun(counts.gaps, "gap"),
  ];
  return done(seq, `${numbers.join(", ")}; /map shows them`);
}

/** One row for a turn that was not simply answered. */
function describeEnd(end: TurnEndView | null): readonly TrailRow[] {
  if (end === null || end.code === "stopped" || end.code === "given-up") return [];
  switch (end.outcome) {
    case "answered":
      return [];
    case "degraded":
      return [detail(end.seq, END_WORDS.degraded)];
    case "failed":
      return [problem(end.seq, END_WORDS.failed)];
    default:
      return end.outcome satisfies never;
  }
}

/** A model that cannot be reached gives every node the same notice. */
function listShownNotices(notices: readonly NoticeView[]): readonly NoticeView[] {
  const shown = notices.filter(({ code }) => !SHOWN_OTHERWISE.has(code));
  return shown.filter(({ text }, at) => shown.findIndex((one) => one.text === text) === at);
}

/** Notices that the reply also mentions, or that a second try has fixed. */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set(["repair", "stopped", "given-up"]);

function done(seq: number, text: string): TrailRow {
  return { seq, kind: "done", text };
}

function problem(seq: number, text: string): TrailRow {
  return { seq, kind: "problem", text };
}

function detail(seq: number, text: string): TrailRow {
  return { seq, kind: "detail", text };
}
