import { once } from "node:events";
import { registerHooks } from "node:module";
import type { MadeUpConversation } from "../simulation/intents.ts";

/** The first message to a worker. */
export interface SimulationSetting {
  /** Files with switches, by their URL. */
  readonly files: ReadonlyMap<string, string>;
  readonly conversations: readonly MadeUpConversation[];
}

/** A further message to a worker: the conversations, by their place in the list, to play with a mutant switched on. */
export interface SimulationTask {
  /** Null to find out which mutants each conversation passes. */
  readonly mutant: number | null;
  readonly conversations: readonly number[];
}

/** A worker's answer to a task. */
export interface SimulationFinding {
  /** The first promise that broke; null where none did. */
  readonly found: string | null;
  /** The mutants that each conversation has passed, where none was switched on. */
  readonly passed: readonly (readonly number[])[];
}

/** A conversation without a mutant asks the switch some hundred thousand times. */
const MOST_QUESTIONS = 20_000_000;

/** Plays conversations with one mutant after the other. */
class MutantPlayer {
  readonly #setting: SimulationSetting;
  #active: number | null = null;
  #questions = 0;
  readonly #passed = new Set<number>();

  constructor(setting: SimulationSetting) {
    this.#setting = setting;
    Object.assign(globalThis, { __mutant: (number: number) => this.#isActive(number) });
    registerHooks({
      load(url, context, next) {
        const source = setting.files.get(url);
        if (source === undefined) return next(url, context);
        return { format: "module-typescript", source, shortCircuit: true };
      },
    });
  }

  #isActive(number: number): boolean {
    this.#questions += 1;
    if (this.#questions > MOST_QUESTIONS) throw new Error("The conversation never ends");
    if (this.#active === null) this.#passed.add(number);
    return this.#active === number;
  }

  async play({ mutant, conversations }: SimulationTask): Promise<SimulationFinding> {
    this.#active = mutant;
    const passed: (readonly number[])[] = [];
    for (const number of conversations) {
      const conversation = this.#setting.conversations[number];
      if (conversation === undefined) continue;
      this.#questions = 0;
      this.#passed.clear();
      const found = await findViolation(conversation);
      if (found !== null) return { found: `${found} (conversation ${number})`, passed };
      passed.push([...this.#passed]);
    }
    return { found: null, passed };
  }
}

/** Returns the promise that was broken; null where all were kept. */
async function findViolation(conversation: MadeUpConversation): Promise<string | null> {
  try {
    // It is loaded with the switches.
    const { playConversation } = await import("../simulation/play.ts");
    const { failure } = await playConversation(conversation);
    return failure === null ? null : (failure.violations[0]?.invariant ?? "none");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const [setting] = await once(process, "message");
const player = new MutantPlayer(setting);
process.on("message", (task: SimulationTask) => {
  void player.play(task).then((finding) => process.send?.(finding));
});
process.send?.("ready");
