import { HumanMessage, RemoveMessage, type BaseMessage } from "@langchain/core/messages";
import { withLastingWishes } from "../registry/constraints.ts";
import { readTurnStamp, REPLY_PREFIX } from "../state/message-ids.ts";
import { SCHEMA_VERSION } from "../state/migrate-state.ts";
import type { InvokedTurn } from "../state/turn-context.ts";
import { CLEARED_TURN, type TurnContext, type TurnState, type TurnUpdate } from "../state/turn.ts";
import { checkThreadBudget } from "./budget/thread-budget.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { emitOutside, lookOutside } from "./look-outside.ts";

/**
 * Makes the node that starts a turn: counts it, clears the last turn's scratch, takes in the message.
 *
 * The driver gives `input` and `run`. Whoever invokes the graph by itself, as Studio does, gives a
 * message among `messages`, and `services.openRun` makes its run. The message keeps its id and gets
 * the turn's number as a stamp.
 */
export function createIntakeNode(services: IntakeServices) {
  return async function intake(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const sent = state.messages.filter((message) => !isStoredMessage(message, state.turn));
    const taken = await acceptMessage(state, { sent, services, io });
    const { input, run } = taken;
    const turn = state.turn + 1;
    const [registryEvents, lasting, budget] = await Promise.all([
      lookOutside({ registry: state.registry, turn }, run, services),
      services.archive.loadWishes(run.userId),
      checkThreadBudget(state, { input, run, turn }, services),
    ]);
    emitOutside({ registry: state.registry, registryEvents, turn }, services, io);
    return {
      ...CLEARED_TURN,
      registryEvents,
      schemaVersion: SCHEMA_VERSION,
      // What was given stands in the state already.
      ...(taken.given ? {} : { input, run }),
      ...budget,
      turn,
      messages: [
        ...sent
          .filter(({ id }) => id !== input.messageId)
          .map(({ id = "" }) => new RemoveMessage({ id })),
        new HumanMessage({
          id: input.messageId,
          content: input.text,
          additional_kwargs: { turn },
        }),
      ],
      constraints: withLastingWishes(state.constraints, lasting).filter(
        ({ until }) => until === null || until >= run.today,
      ),
    };
  };
}

type Input = NonNullable<TurnState["input"]>;
type IntakeServices = Pick<
  NodeServices,
  "openRun" | "limits" | "data" | "domain" | "archive" | "budget"
>;

/** The message and the run that a turn begins with. */
interface AcceptedMessage {
  readonly input: Input;
  readonly run: TurnContext;
  /** True where the state already held both. */
  readonly given: boolean;
}

interface AcceptMessageOptions {
  readonly sent: readonly BaseMessage[];
  readonly services: IntakeServices;
  readonly io: NodeIO;
}

async function acceptMessage(
  state: TurnState,
  { sent, services, io }: AcceptMessageOptions,
): Promise<AcceptedMessage> {
  const { input, run } = state;
  const { openRun, limits } = services;
  const { lease, invoked } = io;
  const isGiven = input !== null && run !== null && !isAnswered(state, input);
  // Without a message an invocation goes back to one that the driver gave, or has nothing to answer.
  const isDirect = sent.length > 0 || !isGiven;
  if (isDirect && lease === null && openRun !== undefined && invoked !== undefined) {
    const message = pickMessage(sent);
    const opened = await openRun({ ...invoked, text: readMessageText(message) });
    return toAcceptedMessage(message, opened);
  }
  if (input === null || run === null) {
    throw new TypeError(
      'Cannot start a turn without "input" and "run": pass both when invoking the graph',
    );
  }
  // The driver goes on with what was left of an invocation that ended before this node did.
  if (sent.length > 0 && isAnswered(state, input)) {
    const message = pickMessage(sent);
    // The run in the state is the last turn's.
    const runId = message.id ?? run.runId;
    const text = remainingText(message, limits.messageCharacters);
    return toAcceptedMessage(message, { text, run: { ...run, runId } });
  }
  return { input, run, given: true };
}

/** Returns the text of a message that an earlier invocation left. A message that was refused then is refused again. */
function remainingText(message: BaseMessage, limit: number): string {
  const text = readMessageText(message);
  if (text.trim() !== "" && text.length <= limit) return text;
  throw new RangeError(
    `Cannot accept a message that was left: ${text.length} characters, of at most ${limit}; leave it behind`,
  );
}

function toAcceptedMessage(
  { id }: BaseMessage,
  { text, run }: InvokedTurn<TurnContext>,
): AcceptedMessage {
  return { input: { messageId: id ?? run.runId, text }, run, given: false };
}

/** Returns true for a message of a past turn. A fork may hold a message with the stamp of a later turn. */
function isStoredMessage(message: BaseMessage, turn: number): boolean {
  const stamp = readTurnStamp(message);
  return stamp !== null && stamp <= turn;
}

/** Returns true where the input in the state belongs to the last turn. */
function isAnswered({ messages, turn }: TurnState, { messageId }: Input): boolean {
  return messages.some((message) => message.id === messageId && isStoredMessage(message, turn));
}

/** Returns the last message: earlier ones were left by invocations that failed. */
function pickMessage(sent: readonly BaseMessage[]): BaseMessage {
  const message = sent.findLast((one) => one.type === "human");
  if (message?.id?.startsWith(REPLY_PREFIX) === true) {
    throw new TypeError(
      `Cannot accept a message whose id begins with "${REPLY_PREFIX}": replies have such ids; give it another id`,
    );
  }
  if (message !== undefined) return message;
  throw new TypeError(
    'Cannot start a turn without a message of the person: send one of type "human"',
  );
}

function readMessageText({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  const other = content.find(({ type }) => type !== "text");
  if (other !== undefined) {
    throw new TypeError(
      `Cannot read a part of type "${other.type.slice(0, 40)}": messages are text; leave it out`,
    );
  }
  return content.map((part) => ("text" in part ? String(part["text"]) : "")).join("\n");
}
