import type { JourneyLine } from "../../state/journey.ts";
import type { TurnState } from "../../state/turn.ts";
import { chooseJourneyMove, type JourneyChoice } from "../../summaries/choose-journey-move.ts";
import { joinJourneys } from "../../summaries/find-journey.ts";
import { moveJourney, type JourneyMove } from "../../summaries/move-journey.ts";
import {
  renderJourneyList,
  renderJourneyNews,
  renderJourneyQuestion,
  renderJourneyRefusal,
} from "../../summaries/word-journeys.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import { createPlanWordCleaner } from "./clean-plan-words.ts";
import {
  emptyJourney,
  writeJourney,
  toChannels,
  toJourneyState,
  type JourneyChannels,
} from "./journey-state.ts";

/** The effect of a message on the journeys of a conversation. */
export type JourneyUpdate = Partial<JourneyChannels> &
  Partial<Pick<TurnState, "journeys" | "journeyNews">>;

interface ChangeJourneyOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Requests that are met before anybody speaks; a new question and a plan that is dropped take their own way. */
const ACTIONS = new Set(["resume", "pause", "close", "rename", "list"]);

/** Returns true where the message asks for another journey, or for something to be done with one. */
export function wantsJourneyChange({ understanding }: Pick<TurnState, "understanding">): boolean {
  return understanding !== null && ACTIONS.has(understanding.journey);
}

/**
 * Does what the message asks of the journeys: takes one up again, puts one aside, ends or renames it, or
 * lists them. What has changed, or why nothing has, is said by code.
 */
export async function changeJourney(
  state: TurnState,
  { services, io }: ChangeJourneyOptions,
): Promise<JourneyUpdate> {
  const { understanding, journeys: lines, input } = state;
  if (understanding === null || !wantsJourneyChange(state)) return {};
  const { threadId, userId } = requireRun(state);
  const archived = await services.archive.listJourneys({ threadId, userId });
  const known = joinJourneys(lines, archived);
  const { journey: action, journeyTo } = understanding;
  const message = input?.text ?? "";
  const isShown = known.some(({ id }) => id === journeyTo?.trim());
  const words =
    journeyTo === null || isShown ? journeyTo : createPlanWordCleaner(state, services)(journeyTo);
  // An id that there is none of names nothing: the message may.
  const name = words === "" && journeyTo !== "" ? (action === "rename" ? null : message) : words;
  const request = { action, name, message };
  const choice = chooseJourneyMove(request, { lines, all: known });
  return choice.kind === "move"
    ? makeMove(state, { move: choice.move, known, services, io })
    : answerChoice(choice, known);
}

/** The words of code for a request that changes nothing. */
function answerChoice(
  choice: Exclude<JourneyChoice, { readonly kind: "move" }>,
  known: readonly JourneyLine[],
): JourneyUpdate {
  switch (choice.kind) {
    case "continue":
      return {};
    case "list":
      return say(renderJourneyList(known));
    case "ask":
      return say(renderJourneyQuestion(choice.journeys));
    case "refuse":
      return say(renderJourneyRefusal(choice.refusal));
    default:
      return choice satisfies never;
  }
}

function say(text: string): JourneyUpdate {
  return { journeyNews: { text, isReply: true } };
}

/** Moves after which a concierge answers. */
const ANSWERED: ReadonlySet<JourneyMove["kind"]> = new Set(["open", "resume", "reopen"]);

interface MoveOptions extends ChangeJourneyOptions {
  readonly move: JourneyMove;
  readonly known: readonly JourneyLine[];
}

/** Makes a move: the rows that it changes are stored, and the channels are those of the journey in the foreground. */
export async function makeMove(
  state: TurnState,
  { move, known, services, io }: MoveOptions,
): Promise<JourneyUpdate> {
  const { threadId, userId } = requireRun(state);
  const find = (journeyId: string) => services.archive.findJourney({ threadId, userId, journeyId });
  const resumed = move.kind === "resume" ? await find(move.journey.id) : null;
  if (move.kind === "resume" && resumed === null) {
    return say(renderJourneyRefusal({ reason: "not-kept", journey: move.journey }));
  }
  const moved = moveJourney(state.journeys, move, {
    turn: state.turn,
    state: toJourneyState(state),
    journeysHeld: services.limits.journeysHeld,
    known,
  });
  if (moved.left !== null) {
    const kept = toJourneyState(state, { isLeaving: true });
    await writeJourney(state, { line: moved.left, state: kept, services, io });
  }
  if (moved.changed !== null) {
    const stored = await find(moved.changed.id);
    if (stored !== null) {
      await writeJourney(state, { line: moved.changed, state: stored.state, services, io });
    }
  }
  const text = renderJourneyNews(moved.news);
  const isLeft = moved.left !== null && move.kind !== "resume";
  return {
    ...(resumed === null
      ? isLeft
        ? emptyJourney(state.conciergeThread)
        : {}
      : toChannels(resumed, state.conciergeThread)),
    journeys: moved.lines,
    journeyNews: text === "" ? null : { text, isReply: !ANSWERED.has(move.kind) },
  };
}
