import { SentenceBook } from "../../nodes/translate/sentence-book.ts";
import type { NodeServices } from "../../nodes/node.ts";
import { NO_BUDGET } from "../../state/budget.ts";
import { limitsWith, type Limits } from "../../state/limits.ts";
import { silentLog } from "../../state/log.ts";
import type { RoleModels } from "../../graph/create-concierge-graph.ts";
import type { LanguageModel, ModelRequest, ModelRole } from "../../state/model.ts";
import type { RegistryEvent } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import { countRoughly } from "../../test/support/arbitraries.ts";
import { memoryArchive, type MemoryArchive } from "../../test/support/memory-archive.ts";
import { noDatabase } from "../../test/support/node-services.ts";
import { turnState } from "../../test/support/turn-state.ts";
import type { Brief } from "./brief.ts";
import type { MadeUpConversation, Intent } from "./intents.ts";
import { judgeTurn, viewTurn, type JudgedScope } from "./invariants.ts";
import type { Prompted } from "./judge-prompts.ts";
import { Liar } from "./liars.ts";
import { LoopRunner } from "./loop-runner.ts";
import { Oracle, type OracleAnswer } from "./oracle.ts";
import { MissingFromPrompt } from "./shown.ts";
import { Truth } from "./truth/truth.ts";
import type { Violation } from "./violation.ts";
import { World } from "./world.ts";

/** The end of a conversation: where it broke a promise, or null. */
export interface Played {
  readonly turns: number;
  /** The number of prompts that were to lack a section and had it. */
  readonly cuts: number;
  readonly failure: Failure | null;
}

/** The first turn that broke a promise. */
export interface Failure {
  readonly turn: number;
  readonly intent: Intent;
  readonly violations: readonly Violation[];
  readonly state: TurnState;
  readonly prompted: readonly Prompted[];
}

/** A section that a node's prompt is to lack. */
export interface LeftOutSection {
  readonly role: ModelRole;
  readonly heading: string;
}

/** The way in which a conversation is played. */
export interface PlayOptions {
  /** Models that are asked in place of honest ones. Default: none. */
  readonly models?: RoleModels;
  /** A section that one prompt lacks. Default: none. */
  readonly without?: LeftOutSection | null;
  /** Default: the nodes in a loop, with rows in memory. */
  readonly openRunner?: OpenRunner;
  /** Called with each turn's number and its prompts. Default: nobody. */
  readonly onTurn?: (turn: number, prompted: readonly Prompted[]) => void;
  /** Puts a message into other words, which hold the same labels and values. Default: as it is. */
  readonly reword?: (message: string, turn: number) => string;
  /** Sees every turn; the conversation then goes on after a broken promise. Default: nobody. */
  readonly watcher?: PlayWatcher | null;
}

/** A moment of a conversation: what the turn is about, what is true, and the rows there are. */
export interface WatchedMoment {
  readonly turn: number;
  readonly intent: Intent;
  readonly brief: Brief;
  /** The message, in the words in which it is said. */
  readonly message: string;
  readonly truth: Truth;
  readonly world: World;
}

/** A turn that is over. */
export interface JudgedMoment extends WatchedMoment {
  readonly state: TurnState;
  readonly violations: readonly Violation[];
}

/** Sees each turn before its first node runs, and after its last. */
export interface PlayWatcher {
  begin(moment: WatchedMoment): void;
  /** Sees as true what was asked for; the next turn begins with what was done. */
  end(moment: JudgedMoment): void;
}

/** Plays a conversation over the real nodes and routes, and judges it after every turn. */
export async function playConversation(
  conversation: MadeUpConversation,
  options: PlayOptions = {},
): Promise<Played> {
  const table = new PlayedTable(conversation, options);
  for (const [index, intent] of conversation.intents.entries()) {
    const failure = await table.play(intent, index + 1);
    if (failure !== null && !table.goesOn) return { turns: index + 1, cuts: table.cuts, failure };
  }
  return { turns: conversation.intents.length, cuts: table.cuts, failure: null };
}

/** Opens the place where a conversation is played: the nodes in a loop, or the whole program. */
export type OpenRunner = (world: World, services: NodeServices) => Promise<TurnRunner>;

/** The place where one conversation is played. */
export interface TurnRunner {
  /** Brings what was changed outside to where turns see it, and to the world what turns have changed. */
  synchronise(): Promise<void>;
  /** @throws Error where the turn does not reach its end. */
  run(text: string, turn: number): Promise<EndedTurn>;
  /** Returns the state that the node under way was given; between turns, the last one's end. */
  readState(): TurnState | Promise<TurnState>;
}

/** Two moments of a turn that its end no longer shows. */
export interface EndedTurn {
  /** The events of the registry. */
  readonly events: readonly RegistryEvent[];
  /** The state after the reply, before the turn's end. */
  readonly replied: TurnState;
}

/** Returns what the replies of a turn list or speak of: neither code's own lines nor a question before a change. */
function readWords({ replies, pending, turn }: TurnState): string {
  const words = replies.map(({ body }) => body).join("\n");
  return pending?.kind === "confirmation" && pending.turn === turn
    ? words.replace(pending.text, "")
    : words;
}

/** One conversation under way. */
class PlayedTable {
  readonly #world: World;
  readonly #truth: Truth;
  readonly #oracle: Oracle;
  readonly #liar: Liar | null;
  readonly #options: PlayOptions;
  readonly #services: NodeServices;
  #runner: TurnRunner | null = null;
  /** The number of prompts that were to lack a section and had it. */
  cuts = 0;
  /** False once a turn has broken a promise, unless somebody watches and it has reached its end. */
  goesOn = true;
  readonly #archive: MemoryArchive = memoryArchive();
  #prompted: Prompted[] = [];
  #missing: MissingFromPrompt[] = [];
  #state: TurnState = turnState({ turn: 0, input: null });

  constructor({ world, lies }: MadeUpConversation, options: PlayOptions) {
    this.#options = options;
    this.#liar = lies === null ? null : new Liar(lies);
    this.#world = new World(world);
    this.#truth = new Truth(this.#world);
    this.#oracle = new Oracle(this.#world.madeUp.types, this.#truth.givesCalls);
    this.#services = this.#createServices();
  }

  /** Plays one turn; null where it kept every promise. */
  async play(intent: Intent, turn: number): Promise<Failure | null> {
    const { brief, commit } = this.#truth.resolve(intent);
    const { reword, watcher = null } = this.#options;
    const message = reword?.(brief.message, turn) ?? brief.message;
    const moment = { turn, intent, brief, message, truth: this.#truth, world: this.#world };
    this.#oracle.begin(brief);
    this.#prompted = [];
    this.#missing = [];
    const before = this.#state.registry;
    const runner = (this.#runner ??= await this.#openRunner());
    await runner.synchronise();
    watcher?.begin(moment);
    const rowsBefore = this.#world.tables.readRawRows();
    const manifestsBefore = this.#archive.manifests.length;
    const run = await this.#run(runner, message, turn);
    await runner.synchronise();
    const state = (this.#state = await runner.readState());
    if (run.broken !== null) {
      const violations = [{ invariant: "1 prompt", expected: "a whole turn", found: run.broken }];
      this.goesOn = false;
      watcher?.end({ ...moment, state, violations });
      return { turn, intent, violations, state, prompted: this.#prompted };
    }
    this.#options.onTurn?.(turn, this.#prompted);
    const isHonest = this.#liar === null;
    if (isHonest) {
      commit();
      this.#truth.readReply(readWords(state));
    }
    const violations = judgeTurn(
      {
        brief,
        used: this.#oracle.used,
        state,
        before,
        events: run.events,
        replied: run.replied,
        prompted: this.#prompted,
        manifests: this.#archive.manifests.slice(manifestsBefore),
        context: this.#services,
        rows: [rowsBefore, this.#world.tables.readRawRows()],
      },
      { world: this.#world, truth: isHonest ? this.#truth : null, scope: this.#chooseScope() },
    );
    watcher?.end({ ...moment, state, violations });
    if (!isHonest) this.#truth.adopt(state, viewTurn(state));
    if (violations.length === 0) return null;
    this.goesOn = watcher !== null;
    if (this.goesOn && isHonest) this.#adoptWrong(state);
    return { turn, intent, violations, state, prompted: this.#prompted };
  }

  /** Goes on from what a model has done in place of what was asked for. */
  #adoptWrong(state: TurnState): void {
    this.#truth.adopt(state, viewTurn(state));
    // Nobody knows any more which change is the last that a person wants back.
    this.#truth.hasOutside = true;
  }

  #openRunner(): Promise<TurnRunner> {
    const { openRunner } = this.#options;
    return openRunner === undefined
      ? Promise.resolve(new LoopRunner(this.#services))
      : openRunner(this.#world, this.#services);
  }

  /** Runs a turn; `broken` says what kept it from its end. */
  async #run(runner: TurnRunner, text: string, turn: number) {
    try {
      const ended = await runner.run(text, turn);
      // A node may have caught it: it counts either way.
      return { ...ended, broken: this.#missing[0]?.message ?? null };
    } catch (error) {
      const found = error instanceof MissingFromPrompt ? error.message : describeError(error);
      return { events: [], replied: this.#state, broken: found };
    }
  }

  #createServices(): NodeServices {
    const { domain, toolbox } = this.#world.madeUp;
    const model: LanguageModel = { name: "oracle", complete: (request) => this.#answer(request) };
    const honest = { understand: model, think: model, act: model, reply: model, summarize: model };
    return {
      domain,
      toolbox,
      models: {
        ...honest,
        concierge: model,
        expert: model,
        mapper: model,
        ...this.#options.models,
      },
      experts: [],
      lanes: { task: true, concierge: false },
      limits: limitsWith(this.#chooseLimits()),
      budget: NO_BUDGET,
      countTokens: countRoughly,
      userData: noDatabase,
      data: this.#world,
      archive: this.#archive,
      sentences: new SentenceBook(null, silentLog),
      log: silentLog,
      clock: () => 0,
      now: () => 0,
    };
  }

  /** A real model says things its own way, and a prompt that lacks a section is not what it should be. */
  #chooseScope(): JudgedScope {
    if (this.#options.models !== undefined) return "outcome";
    return this.#options.without == null ? "everything" : "needs";
  }

  /** Honest models still find in a tight prompt what they need; among liars nobody has to. */
  #chooseLimits(): Partial<Limits> {
    if (!this.#world.isTight) return {};
    return this.#liar === null ? { registryTableTokens: 60 } : SMALLEST;
  }

  /** Among liars an honest model may be sent where it cannot know what to say. */
  #answerHonestly(request: ModelRequest): OracleAnswer {
    try {
      return this.#oracle.answer(request);
    } catch (error) {
      if (this.#liar === null || !(error instanceof MissingFromPrompt)) throw error;
      const reason = { reason: "It cannot be done" };
      return request.role === "act"
        ? { toolCalls: [{ id: "call_fail", name: "fail_step", args: reason, argsError: null }] }
        : { text: "I do not know." };
    }
  }

  async #answer(whole: ModelRequest) {
    const request = leaveOut(whole, this.#options.without ?? null);
    if (request !== whole) this.cuts += 1;
    this.#prompted.push({ request, state: (await this.#runner?.readState()) ?? this.#state });
    try {
      const honest = this.#answerHonestly(request);
      const answer = this.#liar?.distort(honest, request) ?? honest;
      const text = answer.text ?? JSON.stringify(answer.json ?? "");
      request.onText?.(text);
      return {
        json: undefined,
        toolCalls: [],
        truncated: false,
        usage: { input: 0, cached: 0, output: 0 },
        ...answer,
        text,
      };
    } catch (error) {
      if (error instanceof MissingFromPrompt) this.#missing.push(error);
      throw error;
    }
  }
}

/** Limits that every conversation reaches. */
const SMALLEST: Partial<Limits> = {
  registryTableTokens: 60,
  registryRefs: 14,
  rowsHeld: 6,
  deletedRefTurns: 1,
  openChoices: 2,
  choiceLines: 5,
  choiceTokens: 60,
  excludedTokens: 40,
  outsideChangesShown: 1,
  rowsTokens: 120,
  constraints: 3,
  constraintTokens: 40,
  ruleTokens: 20,
  earlierTurnsTokens: 20,
};

/** Returns the request without a section of its prompt. */
function leaveOut(request: ModelRequest, without: LeftOutSection | null): ModelRequest {
  if (without?.role !== request.role) return request;
  const start = `## ${without.heading}\n`;
  if (!request.messages.some(({ role, text }) => role === "user" && text.includes(start)))
    return request;
  const messages = request.messages.map((message) =>
    message.role === "user"
      ? {
          ...message,
          text: message.text
            .split(/^(?=## )/mu)
            .filter((part) => !part.startsWith(start))
            .join(""),
        }
      : message,
  );
  return { ...request, messages };
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
