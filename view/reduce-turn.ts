import type { EventNamed, TurnEvent } from "../state/event.ts";
import type { StepStatus } from "../state/step.ts";
import type {
  BatchView,
  ExpertView,
  NodeView,
  ReplyView,
  StepView,
  ToolView,
  TurnView,
} from "./turn-view.ts";

/** Returns the view of a turn before its first event. */
export function startTurn(message: string): TurnView {
  return {
    key: null,
    seq: 0,
    status: "sending",
    message,
    outside: [],
    goals: [],
    nodes: [],
    steps: [],
    experts: [],
    batches: [],
    phases: [],
    plan: { versions: [], ready: null },
    replies: [],
    confirmation: null,
    confirmationEnd: null,
    notices: [],
    waits: [],
    usage: { input: 0, cached: 0, output: 0 },
    error: null,
    end: null,
  };
}

/**
 * Adds the next event of a run to the view of its turn.
 *
 * Contract: an event whose `seq` is not above the view's changes nothing, so a stream may repeat. Of
 * an event that this version does not know, only `seq` is kept.
 */
export function reduceTurn(view: TurnView, event: TurnEvent): TurnView {
  if (event.seq <= view.seq) return view;
  const { thread, turn, run, seq } = event;
  return { ...view, ...reduceBody(view, event), key: { thread, turn, run }, seq };
}

function reduceBody(view: TurnView, event: TurnEvent): Partial<TurnView> {
  const { seq } = event;
  switch (event.type) {
    case "turn-start":
      return { status: "running", message: event.message };
    case "outside":
      return { outside: event.changes };
    case "node-start":
      return { nodes: [...view.nodes, { seq, name: event.node, ms: null }] };
    case "node-end":
      return { nodes: endNode(view.nodes, event) };
    case "plan":
      return {
        goals: event.steps.length === 0 ? view.goals : [...view.goals, { seq, goal: event.goal }],
        steps: replan(view.steps, event),
      };
    case "step-start": {
      const { index, description } = event;
      return {
        steps: changeStep(view.steps, index, (step) => ({ ...step, description, startSeq: seq })),
      };
    }
    case "step-end": {
      const { index, status, outcome, warnings } = event;
      const end = { seq, status, outcome, warnings };
      return { steps: changeStep(view.steps, index, (step) => ({ ...step, end })) };
    }
    case "tool-start": {
      const { step: index, call, tool, table } = event;
      const started = { call, tool, table, startSeq: seq, end: null };
      return {
        steps: changeStep(view.steps, index, (step) => {
          return { ...step, tools: [...step.tools, started] };
        }),
      };
    }
    case "tool-end":
      return {
        steps: changeStep(view.steps, event.step, (step) => {
          return { ...step, tools: endTool(step.tools, event) };
        }),
      };
    case "expert-start": {
      const { batch, purpose, expert } = event;
      return {
        experts: [...view.experts, { batch, purpose, expert, startSeq: seq, end: null }],
      };
    }
    case "expert-end":
      return { experts: endExpert(view.experts, event) };
    case "analysis":
      return { batches: [...view.batches, viewBatch(event)] };
    case "plan-change": {
      const versions = [...view.plan.versions, { seq, version: event.plan.version }];
      return { plan: { ...view.plan, versions } };
    }
    case "step-help-ready": {
      const { step, text } = event;
      return { plan: { ...view.plan, ready: { seq, step, text } } };
    }
    case "phase-change":
      return { phases: [...view.phases, { seq, phase: event.to }] };
    case "text-delta":
      return {
        replies: changeReply(view.replies, event.reply, (reply) => {
          return { ...reply, text: reply.text + event.text };
        }),
      };
    case "receipts": {
      const { receipts, text: lines } = event;
      return {
        replies: changeReply(view.replies, event.reply, (reply) => ({ ...reply, receipts, lines })),
      };
    }
    case "reply": {
      const { text, body, receipts } = event;
      const lines = text.slice(0, text.length - body.length).trimEnd();
      return {
        replies: changeReply(view.replies, event.reply, (reply) => {
          return { ...reply, text, lines, receipts, isWhole: true };
        }),
      };
    }
    case "reply-reset":
      return {
        replies: changeReply(view.replies, event.reply, ({ id, resets }) => {
          return { ...startReply(id), resets: [...resets, seq] };
        }),
      };
    case "confirmation": {
      const { id, wording, changes, rules, expiresAt } = event;
      return { confirmation: { id, wording, changes, rules, expiresAt } };
    }
    case "confirmation-end":
      return { confirmationEnd: { id: event.id, answer: event.answer } };
    case "notice": {
      const { node, code, text } = event;
      return { notices: [...view.notices, { seq, node, code, text }] };
    }
    case "waiting": {
      const { node, reason, label, seconds, most } = event;
      const others = view.waits.filter((wait) => wait.node !== node || wait.seconds === 0);
      return { waits: [...others, { seq, node, reason, label, seconds, most }] };
    }
    case "usage":
      return {
        usage: {
          input: view.usage.input + event.input,
          cached: view.usage.cached + event.cached,
          output: view.usage.output + event.output,
        },
      };
    case "turn-end": {
      const { outcome, code } = event;
      return { status: readEnd(event), end: { seq, outcome, code } };
    }
    case "error": {
      const { code, message } = event;
      return { status: code === "stopped" ? "stopped" : "failed", error: { code, message } };
    }
    default:
      return {};
  }
}

function readEnd({ outcome, code }: EventNamed<"turn-end">): TurnView["status"] {
  if (code === "stopped") return "stopped";
  return outcome === "failed" ? "failed" : "done";
}

function endNode(
  nodes: readonly NodeView[],
  { node, ms }: EventNamed<"node-end">,
): readonly NodeView[] {
  const at = nodes.findLastIndex(({ name, ms: ended }) => name === node && ended === null);
  return nodes.map((one, index) => (index === at ? { ...one, ms } : one));
}

/** Puts a new plan's steps after those that were carried out, which it keeps; the others lose their number. */
function replan(
  steps: readonly StepView[],
  { steps: planned }: EventNamed<"plan">,
): readonly StepView[] {
  const begun = steps.filter(
    ({ startSeq, tools, end }) => startSeq !== null || tools.length > 0 || end !== null,
  );
  const kept = begun.filter(isCarriedOut);
  const renumber = (step: StepView): StepView => {
    const index = kept.indexOf(step);
    return { ...step, index: index === -1 ? null : index };
  };
  return [
    ...begun.map(renumber),
    ...planned.map(({ description }, at) => startStep(kept.length + at, description)),
  ];
}

function isCarriedOut({ index, end }: StepView): boolean {
  return index !== null && end !== null && CARRIED_OUT.has(end.status);
}

const CARRIED_OUT: ReadonlySet<StepStatus> = new Set(["done", "partial", "failed"]);

function startStep(index: number, description: string): StepView {
  return { index, description, startSeq: null, tools: [], end: null };
}

function changeStep(
  steps: readonly StepView[],
  index: number,
  change: (step: StepView) => StepView,
): readonly StepView[] {
  const known = steps.some((step) => step.index === index)
    ? steps
    : [...steps, startStep(index, "")];
  return known.map((step) => (step.index === index ? change(step) : step));
}

function endTool(tools: readonly ToolView[], event: EventNamed<"tool-end">): readonly ToolView[] {
  const { seq, call, tool, table, effect, ok, count, suppressed, ms } = event;
  const end = { seq, effect, ok, count, suppressed, ms };
  const at = tools.findLastIndex((one) => one.call === call && one.end === null);
  if (at === -1) return [...tools, { call, tool, table, startSeq: null, end }];
  return tools.map((one, index) => (index === at ? { ...one, end } : one));
}

function endExpert(
  experts: readonly ExpertView[],
  event: EventNamed<"expert-end">,
): readonly ExpertView[] {
  const { seq, batch, purpose, expert, outcome, reason, ms } = event;
  const end = { seq, outcome, reason, ms };
  const at = experts.findLastIndex(
    (one) => one.batch === batch && one.expert === expert && one.end === null,
  );
  if (at === -1) return [...experts, { batch, purpose, expert, startSeq: null, end }];
  return experts.map((one, index) => (index === at ? { ...one, end } : one));
}

function viewBatch({ seq, batch, purpose, shape, map }: EventNamed<"analysis">): BatchView {
  if (map === null) return { seq, batch, purpose, shape, counts: null };
  const tensions = map.edges.filter(({ type }) => type === "conflicts" || type === "tradeoff");
  const counts = {
    claims: map.claims.length,
    tensions: tensions.length,
    gaps: map.gaps.length,
  };
  return { seq, batch, purpose, shape, counts };
}

function startReply(id: string): ReplyView {
  return { id, text: "", lines: "", receipts: [], isWhole: false, resets: [] };
}

function changeReply(
  replies: readonly ReplyView[],
  id: string,
  change: (reply: ReplyView) => ReplyView,
): readonly ReplyView[] {
  const known = replies.some((reply) => reply.id === id) ? replies : [...replies, startReply(id)];
  return known.map((reply) => (reply.id === id ? change(reply) : reply));
}
