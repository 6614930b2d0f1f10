import { z } from "zod";

/** One limit: its default, unit, and what happens when it is reached. */
interface LimitDescription {
  readonly default: number;
  /** The default with models on this machine, which answer one after the other and slowly. */
  readonly local?: number;
  /** The most with a model of the small tier. */
  readonly small?: number;
  /** The most with a model whose window is under `NARROW_WINDOW`. */
  readonly narrow?: number;
  readonly unit: string;
  readonly reached: string;
}

/** Every bound. The documentation's table is printed from this one. */
export const LIMITS = {
  messageCharacters: {
    default: 32_000,
    unit: "characters",
    reached: "the message is refused with this limit named",
  },
  recordTurns: {
    default: 2,
    narrow: 1,
    unit: "turns (1–5)",
    reached: "older records become ledger lines",
  },
  ledgerLines: {
    default: 10,
    unit: "lines",
    reached: "all lines are folded into the history in one go, by code",
  },
  historyTokens: {
    default: 400,
    narrow: 200,
    unit: "tokens",
    reached: "its oldest lines go; `recall` finds them",
  },
  messagesHeld: {
    default: 200,
    unit: "messages of the person that are kept beyond the history, and shown where a later one touches them",
    reached: "the oldest leave the state; `recall` finds them",
  },
  earlierTurnsTokens: {
    default: 250,
    unit: "tokens of older turns shown to Reply, and of what was told in them to Understand",
    reached: "those that touch the message stay, then the newest; the rest is counted",
  },
  transcriptMessages: {
    default: 20,
    unit: "messages",
    reached: "older messages leave the state; the archive keeps them",
  },
  transcriptBytes: {
    default: 65_536,
    unit: "bytes",
    reached: "older messages leave the state; the archive keeps them",
  },
  recentMessageTokens: {
    default: 100,
    unit: "tokens a message shown of earlier turns",
    reached: "its middle is left out and marked",
  },
  messageTokens: {
    default: 1_200,
    unit: "tokens of this turn's message in a prompt",
    reached: "its middle is left out and marked; the archive keeps it whole",
  },
  registryRefs: {
    default: 400,
    unit: "refs",
    reached: "the longest unreferenced ones move to a table and come back when named",
  },
  deletedRefTurns: {
    default: 20,
    unit: "turns the ref of something deleted stays in the state",
    reached: "it moves to the same table, and is known as deleted when it is named",
  },
  openChoices: {
    default: 4,
    unit: "choices that stay open",
    reached: "the one touched longest ago is closed",
  },
  choiceLines: {
    default: 24,
    unit: "lines of the choice in focus",
    reached: "the rest is named by ref, or counted",
  },
  choiceTokens: {
    default: 500,
    unit: "tokens of the open choices in a prompt",
    reached: "other choices lose their labels, then the one in focus its facts and its tail",
  },
  excludedTokens: {
    default: 250,
    unit: "tokens of what was left out, in a prompt",
    reached: "the newest reasons stay; the rest is counted",
  },
  checkedRows: {
    default: 200,
    unit: "known rows that a turn checks for changes made outside",
    reached: "the ones spoken of longest ago are not checked",
  },
  outsideChangesShown: {
    default: 8,
    unit: "changes made outside that a prompt names",
    reached: "the rest is counted",
  },
  registryTableTokens: {
    default: 550,
    unit: "tokens",
    reached: "inactive refs leave the table, oldest first, and their number is said",
  },
  rowsHeld: {
    default: 150,
    unit: "rows",
    reached: "the longest unreferenced rows are no longer held; reading them again is real",
  },
  rowsTokens: {
    default: 1_300,
    narrow: 700,
    unit: "tokens of rows shown to Act or Reply",
    reached: 'the rest is counted by type: "47 more recipes"',
  },
  constraints: {
    default: 40,
    unit: "constraints",
    reached: "the oldest soft ones are merged into one line",
  },
  constraintTokens: {
    default: 300,
    unit: "tokens",
    reached: "the oldest soft ones are not shown and their number is said",
  },
  ruleTokens: {
    default: 600,
    unit: "tokens of hard constraints in a prompt",
    reached:
      "those that touch the message are shown, then the newest, and the number of the rest is said; checks see them all",
  },
  recordTokens: {
    default: 350,
    unit: "tokens a record",
    reached: "its longest lines are shortened",
  },
  stepsPerPlan: {
    default: 8,
    small: 3,
    unit: "steps",
    reached: "the plan goes back once with the limit named, then is cut",
  },
  roundsPerStep: {
    default: 6,
    unit: "rounds of tool calls",
    reached: "the step ends with what it has, as partial where rows are left",
  },
  callsPerRound: {
    default: 16,
    unit: "calls",
    reached: "the rest is not begun, and is named to the model and to the person",
  },
  replansPerTurn: { default: 1, unit: "replans", reached: "the step stays blocked and is said so" },
  repairsPerCall: {
    default: 1,
    unit: "repairs",
    reached: "the node's deterministic fallback answers",
  },
  tokensPerTurn: {
    default: 60_000,
    unit: "tokens, all calls of a turn",
    reached:
      "running calls end, no further model is asked, and the reply offers to go on with what is left; from 80 % no experts and no other plan",
  },
  callSeconds: {
    default: 30,
    unit: "seconds a call of an outside service",
    reached: "the person is told that it did not answer, and that it may have happened",
  },
  callAnswerCharacters: {
    default: 4_000,
    unit: "characters of an outside service's answer, or of a tool's refusal to its model",
    reached: "its end is left out and marked",
  },
  modelSeconds: {
    default: 120,
    local: 900,
    unit: "seconds a model call, waiting and retries included",
    reached:
      "the call counts as failed, and the turn asks that model no more. A call of which nothing has come after half of them is made once more beside it, where the turn needs an answer and the endpoint takes several",
  },
  modelSilenceSeconds: {
    default: 30,
    local: 300,
    unit: "seconds without a piece of a streamed answer; for a whole one four times those of the slowest before it in its role, if that is longer, and `modelSeconds` where there was none",
    reached: "the connection is cut, and the call is made once more",
  },
  turnSeconds: {
    default: 300,
    local: 3_600,
    unit: "seconds a turn",
    reached: "no further model is asked, and the turn ends with what is there",
  },
  endpointCalls: {
    default: 8,
    local: 1,
    unit: "calls of one endpoint at once, by one process",
    reached: "further calls wait; after a 429 there are fewer, after successes again more",
  },
  queueSeconds: {
    default: 60,
    local: 900,
    unit: "seconds a call waits for its place",
    reached: "the call counts as failed, since the endpoint is busy",
  },
  retriesPerCall: {
    default: 2,
    unit: "retries after 429, 408, 5xx, broken connections and answers that cannot be read; of a request that is refused without a reason, one",
    reached: "the call counts as failed",
  },
  probeSeconds: {
    default: 60,
    unit: "seconds that `npm run models -- test` asks models, all together",
    reached: "no more is asked, and what was not reached is named",
  },
  probeTokens: {
    default: 6_000,
    unit: "tokens a model in a probe, the search for the window left out; not on this machine",
    reached: "only what was never asked is asked once, and the rest is named",
  },
  understandOutputTokens: {
    default: 1_500,
    unit: "tokens of Understand's answer",
    reached: "the answer is cut, cannot be read, and counts as wrong",
  },
  thinkOutputTokens: {
    default: 2_000,
    narrow: 1_500,
    unit: "tokens of Think's answer",
    reached: "the answer is cut, cannot be read, and counts as wrong",
  },
  actOutputTokens: {
    default: 4_000,
    narrow: 1_500,
    unit: "tokens of one answer of a step's model",
    reached: "the answer is cut, cannot be read, and counts as wrong",
  },
  replyOutputTokens: {
    default: 2_000,
    narrow: 1_500,
    unit: "tokens of a reply in the task lane",
    reached: "the reply ends there",
  },
  summarizeOutputTokens: {
    default: 600,
    unit: "tokens of Summarize's answer",
    reached: "the answer is cut, cannot be read, and counts as wrong",
  },
  translationOutputTokens: {
    default: 3_000,
    narrow: 1_500,
    unit: "tokens of an answer that translates code's own sentences",
    reached: "the next turns translate the others",
  },
  conciergeOutputTokens: {
    default: 3_000,
    narrow: 1_500,
    unit: "tokens of a concierge's answer",
    reached: "the answer ends there, and a control block that is cut is not acted on",
  },
  mapperOutputTokens: {
    default: 4_000,
    narrow: 1_500,
    unit: "tokens of the mapper's answer",
    reached: "the answer is cut, cannot be read, and counts as wrong",
  },
  workflowOutputTokens: {
    default: 1_500,
    unit: "tokens of the steps read from a plan by a model",
    reached: "the answer is cut, and code reads the numbered steps of the plan",
  },
  handoverOutputTokens: {
    default: 1_200,
    unit: "tokens of a handover's update when a concierge's thread is full",
    reached: "the answer is cut, and the person's last words are added instead",
  },
  stepPromptTokens: {
    default: 3_975,
    unit: "tokens of a step's first prompt, tools included",
    reached: "fewer rows are shown in it, but never less than 600 tokens of them",
  },
  recallTokens: {
    default: 900,
    unit: "tokens that a recall adds to a step's prompt",
    reached: "the turns it found are shortened",
  },
  leaseSeconds: {
    default: 15,
    unit: "seconds a thread stays with a process that no longer renews its lease",
    reached: "another process takes the thread over",
  },
  leaseWaitSeconds: {
    default: 120,
    unit: "seconds a message waits for a thread that another process holds",
    reached: "it is kept and answered before the next message",
  },
  titleCharacters: {
    default: 60,
    unit: "characters of a thread's title",
    reached: "the title ends there",
  },
  attemptsPerMessage: {
    default: 3,
    unit: "attempts",
    reached: "the message is given up with a clear reply",
  },
  conciergeThreadTokens: {
    default: 8_000,
    narrow: 4_000,
    unit: "tokens of a concierge's own thread",
    reached: "a fresh instance of the same phase goes on from the phase's document",
  },
  expertThreadTokens: {
    default: 2_000,
    narrow: 1_000,
    unit: "tokens of an expert's own thread",
    reached: "its oldest question and answer go",
  },
  expertQuestionTokens: {
    default: 1_500,
    narrow: 1_000,
    unit: "tokens of what the experts are asked and told",
    reached:
      "what was said before goes first, then what is known of the person; a question that alone has more loses its middle, marked",
  },
  expertAnswerTokens: {
    default: 900,
    small: 350,
    unit: "tokens of an expert's answer",
    reached: "the answer is cut and counts as partial",
  },
  batchTokens: {
    default: 40_000,
    unit: "tokens, prompts and answers of a batch's experts",
    reached: "the last of the configured experts are not asked",
  },
  expertSeconds: {
    default: 45,
    unit: "seconds an expert",
    reached: "the expert counts as late, the batch goes on without it",
  },
  batchQuorum: {
    default: 2,
    unit: "answers that make a batch",
    reached: "the other experts have `expertGraceSeconds` left; with fewer no map is made",
  },
  expertGraceSeconds: {
    default: 15,
    unit: "seconds after the answer that completes the quorum",
    reached: "the experts that are left are cut",
  },
  mapperSeconds: {
    default: 25,
    unit: "seconds of the mapper, within those of a batch, at most half of them",
    reached: "each answer stands as one claim",
  },
  cutGraceSeconds: {
    default: 10,
    unit: "seconds a waiting message leaves a batch without its quorum",
    reached: "the batch ends with what is there",
  },
  batchSeconds: {
    default: 75,
    unit: "seconds a batch, with mapper and structure",
    reached: "the concierge answers with what is there",
  },
  briefTokens: {
    default: 700,
    unit: "tokens of a brief: what the experts said, for a first answer",
    reached: "single claims stand by their label, and remarks give way",
  },
  sheetTokens: {
    default: 2_400,
    unit: "tokens of what the experts said for a plan",
    reached: "single claims stand by their label",
  },
  stepSheetTokens: {
    default: 1_200,
    unit: "tokens of what the experts said about a step of a plan",
    reached: "single claims stand by their label",
  },
  starterTurns: {
    default: 4,
    unit: "answers of the starter",
    reached: "the handover is built by code from what is known",
  },
  quietTurns: {
    default: 2,
    unit: "messages in a row that bring the explorer nothing new",
    reached: "the explorer is reminded to say so to the person, once",
  },
  planSteps: {
    default: 12,
    unit: "steps of a journey's plan",
    reached: "a new plan ends there; a step that is added later is refused",
  },
  planDecisions: {
    default: 12,
    unit: "decisions of a journey's plan",
    reached: "a new plan has no more; a choice that is added later is refused",
  },
  journeysHeld: {
    default: 12,
    unit: "journeys of a conversation that its state names",
    reached: "the oldest closed one is found by its name only",
  },
  planChangesHeld: {
    default: 12,
    unit: "changes of a plan that can be undone, and that one message makes",
    reached: "the oldest can no longer be undone; what more a message asks for is refused",
  },
  planTokens: {
    default: 1_200,
    unit: "tokens of a plan shown in full",
    reached:
      "the words of done steps are shortened first, then notes, then descriptions; titles, signs of being done and decisions stay",
  },
  checkpointTurns: {
    default: 2,
    unit: "finished turns whose checkpoints are kept",
    reached: "older checkpoints are pruned; the archive keeps the turns",
  },
  repetitionDays: {
    default: 90,
    unit: "days a write or a message sent again is known as done",
    reached: "keys of finished turns' writes and finished messages are removed",
  },
  journalDays: {
    default: 30,
    unit: "days a change of data can be undone",
    reached: "the rows as they were before are removed, and the change is final",
  },
  confirmationHours: {
    default: 24,
    unit: "hours a question before a change waits for a yes",
    reached: "a yes no longer counts, and nothing is changed",
  },
  cleanUpMinutes: {
    default: 60,
    unit: "minutes between two removals of a user's old keys, by one process",
    reached: "the next turn removes what is older than `repetitionDays`",
  },
  temporaryThreadSeconds: {
    default: 60,
    unit: "seconds a thread made for one run stays after that run",
    reached: "the thread is deleted, and a client cannot come back to it",
  },
  connectSeconds: {
    default: 10,
    unit: "seconds to connect to the database, or to wait for a free connection",
    reached: "the database counts as unavailable",
  },
  statementSeconds: {
    default: 30,
    unit: "seconds a database statement",
    reached: "the server cancels the statement, and what needed it fails",
  },
  idleTransactionSeconds: {
    default: 60,
    unit: "seconds an open transaction waits for its next statement",
    reached: "the server closes the connection and rolls the transaction back",
  },
  recallTurns: { default: 5, unit: "turns a recall returns", reached: "the rest is counted" },
} as const satisfies Record<string, LimitDescription>;

export type LimitName = keyof typeof LIMITS;
/** The limits in force, by name. */
export type Limits = { readonly [name in LimitName]: number };

const DESCRIPTIONS: readonly (readonly [string, LimitDescription])[] = Object.entries(LIMITS);

/** The defaults. */
export const DEFAULT_LIMITS: Limits = listDefaults(false);

function listDefaults(local: boolean): Limits {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` forgets the keys.
  return Object.fromEntries(
    DESCRIPTIONS.map(([name, limit]) => [name, (local ? limit.local : null) ?? limit.default]),
  ) as Limits;
}

/** Windows under this many tokens are narrow (models.md §3, "The small tier"). */
export const NARROW_WINDOW = 16_000;
/** The least window in tokens: a prompt and its answer have no room in less. */
export const LEAST_WINDOW = 8_192;
/** Tokens of a prompt at most in a narrow window, schemas and tools included. */
export const NARROW_PROMPT_TOKENS = 5_000;

/** Returns true for a window, in tokens, that is known and narrow. */
export function isNarrow(window: number | null): boolean {
  return window !== null && window < NARROW_WINDOW;
}

/** The facts of a model by which limits are lowered. */
export interface LimitedModel {
  readonly tier: "full" | "small";
  /** In tokens; null where it is not known. */
  readonly window: number | null;
}

/**
 * Lowers limits to what a small model, or one with a narrow window, can deal with. None is raised;
 * those of another model are returned as they are. Pure.
 *
 * Source: models.md §3, "The small tier".
 *
 * @example
 * fitLimits(DEFAULT_LIMITS, { tier: "small", window: 8_192 }).stepsPerPlan; // 3
 */
export function fitLimits(limits: Limits, { tier, window }: LimitedModel): Limits {
  const isSmall = tier === "small";
  const isCramped = isNarrow(window);
  if (!isSmall && !isCramped) return limits;
  const bounds = new Map(
    DESCRIPTIONS.map(([name, { small, narrow }]) => [
      name,
      Math.min((isSmall ? small : null) ?? Infinity, (isCramped ? narrow : null) ?? Infinity),
    ]),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` forgets the keys.
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name,
      Math.min(value, bounds.get(name) ?? Infinity),
    ]),
  ) as Limits;
}

const LimitsOverrideSchema = z.partialRecord(
  z.enum(Object.keys(LIMITS)),
  z.number().int().positive(),
);

/**
 * The defaults with some of them replaced.
 *
 * @throws RangeError for an unknown name, a value that is not a positive integer, or `recordTurns` outside 1–5.
 *
 * `local`: true for models on this machine, whose defaults differ.
 *
 * @example
 * limitsWith({ stepsPerPlan: 4 }).stepsPerPlan; // 4
 */
export function limitsWith(
  overrides: Partial<Limits>,
  { local = false }: { readonly local?: boolean } = {},
): Limits {
  const parsed = LimitsOverrideSchema.safeParse(overrides);
  if (!parsed.success) {
    throw new RangeError(`Cannot use these limits: ${z.prettifyError(parsed.error)}`);
  }
  const limits: Limits = { ...listDefaults(local), ...overrides };
  if (limits.recordTurns > 5) {
    throw new RangeError(
      `Cannot use limit "recordTurns" ${limits.recordTurns}: it must be from 1 to 5`,
    );
  }
  return limits;
}

/** The table as Markdown, for the documentation. */
export function renderLimits(): string {
  const rows = DESCRIPTIONS.map(([name, limit]) => {
    const others = [
      limit.local === undefined ? "" : `, ${limit.local} with a model on this machine`,
      limit.small === undefined ? "" : `, ${limit.small} with a small model`,
      limit.narrow === undefined
        ? ""
        : `, ${limit.narrow} in a window under ${NARROW_WINDOW} tokens`,
    ].join("");
    return `| \`${name}\` | ${limit.default}${others} | ${limit.unit} | ${limit.reached} |`;
  });
  return [
    "| limit | default | unit | when it is reached |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
