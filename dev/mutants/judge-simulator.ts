import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { conversations } from "../simulation/intents.ts";
import { Numbers } from "../simulation/numbers.ts";
import { copyTree, execute, ROOT } from "./copied-tree.ts";
import { nameChange, readEquivalents } from "./equivalents.ts";
import { makeMutants, type MadeMutant } from "./make-mutants.ts";
import type { SimulationFinding, SimulationSetting, SimulationTask } from "./simulation-worker.ts";

/** The share of mutants that the simulator must find. */
const GOAL = 0.95;
/** Conversations of each kind: honest models, and models that lie. */
const CONVERSATIONS = 200;
const TURNS = 12;
/** A mutant with which the conversations take longer hangs them, which is noticed too. */
const LONGEST_MS = 180_000;

interface NumberedMutant extends MadeMutant {
  readonly number: number;
}

interface Verdict {
  readonly mutant: NumberedMutant;
  /** The number of conversations that come to its place. */
  readonly passes: number;
  /** The promise that broke; null where none did. */
  readonly found: string | null;
}

/** The mutants to be judged. */
export interface MutantChoice {
  /** Words of which the file has one; empty for all files. */
  readonly words: readonly string[];
  /** The number of mutants, drawn by the seed; 0 for all. */
  readonly sample: number;
  readonly seed: number;
}

/** Switches on one made mutant after the other while the simulator plays, and reports; returns the exit code. */
export async function judgeSimulator({ words, sample, seed }: MutantChoice): Promise<number> {
  const { files, mutants } = await makeAll();
  const played = [false, true].flatMap((lies) =>
    fc.sample(conversations(TURNS, { lies }), { numRuns: CONVERSATIONS, seed }),
  );
  const setting = { files, conversations: played };
  const passing = await listPassing(setting);
  const wanted = mutants.filter(
    ({ file }) => words.length === 0 || words.some((word) => file.includes(word)),
  );
  const drawn = sample === 0 ? wanted : draw(wanted, sample, seed);
  const compiled = await listCompiled(drawn);
  process.stdout.write(`${drawn.length} mutants, of which ${compiled.length} compile\n`);
  const verdicts = await judgeAll(compiled, { setting, passing });
  return report(verdicts, new Set((await readEquivalents()).map(nameChange)));
}

async function makeAll() {
  const files = new Map<string, string>();
  const mutants: NumberedMutant[] = [];
  for (const file of await listFiles()) {
    const source = await readFile(join(ROOT, file), "utf8");
    const made = makeMutants(file, source, mutants.length);
    files.set(pathToFileURL(join(ROOT, file)).href, made.text);
    for (const mutant of made.mutants) mutants.push({ ...mutant, number: mutants.length });
  }
  return { files, mutants };
}

/** Lists the files of the registry, the working set, the receipts and what renders them. */
async function listFiles(): Promise<readonly string[]> {
  const registry = (await readdir(join(ROOT, "registry"))).map((name) => `registry/${name}`);
  const others = ["nodes/reply/collect-receipts.ts", "prompts/working-set.ts"];
  return [...registry, ...others].filter((name) => name.endsWith(".ts")).toSorted();
}

function draw<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  const numbers = new Numbers(seed);
  const rest = [...items];
  const length = Math.min(count, items.length);
  return Array.from({ length }, () => rest.splice(numbers.below(rest.length), 1)).flat();
}

/** Lists the mutants that the compiler lets through: each is put beside its file in a copy of the tree. */
async function listCompiled(
  mutants: readonly NumberedMutant[],
): Promise<readonly NumberedMutant[]> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-mutants-"));
  try {
    const tree = await copyTree(join(folder, "tree"));
    const place = ({ file, number }: NumberedMutant): string =>
      file.replace(/\.ts$/u, `.${number}.ts`);
    const refused = new Set<NumberedMutant>();
    for (let at = 0; at < mutants.length; at += AT_ONCE) {
      const some = mutants.slice(at, at + AT_ONCE);
      await Promise.all(some.map((mutant) => writeFile(join(tree, place(mutant)), mutant.text)));
      const { output } = await execute(process.execPath, COMPILE, tree);
      for (const mutant of some) if (output.includes(`${place(mutant)}(`)) refused.add(mutant);
      await Promise.all(some.map((mutant) => rm(join(tree, place(mutant)))));
    }
    return mutants.filter((mutant) => !refused.has(mutant));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Files that the compiler is given at once beside those of the project. */
const AT_ONCE = 200;
const COMPILE = [
  join(ROOT, "node_modules/typescript/bin/tsc"),
  "--noEmit",
  "--pretty",
  "false",
  "--noUnusedLocals",
  "false",
  "--noUnusedParameters",
  "false",
];

/** Returns the conversations that pass each mutant. @throws Error where one of them breaks a promise without a mutant. */
async function listPassing(
  setting: SimulationSetting,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const player = new Player(setting);
  const all = setting.conversations.map((_, number) => number);
  const { found, passed } = await player.play({ mutant: null, conversations: all });
  player.stop();
  if (found !== null) {
    throw new Error(
      `Cannot judge the simulator: without a mutant the promise "${found}" is broken; mend that first`,
    );
  }
  const passing = new Map<number, number[]>();
  for (const [conversation, mutants] of passed.entries()) {
    for (const mutant of mutants)
      passing.set(mutant, [...(passing.get(mutant) ?? []), conversation]);
  }
  return passing;
}

/** A process that plays conversations; one that hangs is replaced. */
class Player {
  readonly #setting: SimulationSetting;
  #child: Promise<ChildProcess>;

  constructor(setting: SimulationSetting) {
    this.#setting = setting;
    this.#child = this.#start();
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(new URL("simulation-worker.ts", import.meta.url), {
      serialization: "advanced",
    });
    child.send(this.#setting);
    await once(child, "message");
    return child;
  }

  async play(task: SimulationTask): Promise<SimulationFinding> {
    const child = await this.#child;
    const late = AbortSignal.timeout(LONGEST_MS);
    child.send(task);
    try {
      const [finding] = await once(child, "message", { signal: late });
      return finding;
    } catch (error) {
      if (!late.aborted) throw error;
      child.kill("SIGKILL");
      this.#child = this.#start();
      return { found: "no end", passed: [] };
    }
  }

  stop(): void {
    void this.#child.then((child) => child.kill());
  }
}

interface JudgeContext {
  readonly setting: SimulationSetting;
  readonly passing: ReadonlyMap<number, readonly number[]>;
}

async function judgeAll(
  mutants: readonly NumberedMutant[],
  { setting, passing }: JudgeContext,
): Promise<readonly Verdict[]> {
  const waiting = [...mutants];
  const verdicts: Verdict[] = [];
  const judge = async (): Promise<void> => {
    const player = new Player(setting);
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const played = passing.get(mutant.number) ?? [];
      const { found } = await player.play({ mutant: mutant.number, conversations: played });
      verdicts.push({ mutant, passes: played.length, found });
    }
    player.stop();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, judge));
  return verdicts;
}

function report(verdicts: readonly Verdict[], equivalents: ReadonlySet<string>): number {
  const unfound = verdicts.filter(({ found }) => found === null);
  const survivors = unfound.filter(({ mutant }) => !equivalents.has(nameChange(mutant)));
  for (const { mutant, passes } of survivors)
    process.stdout.write(
      `\n${mutant.file}:${mutant.line} (${mutant.rule}; ${passes} conversations come here)\n- ${mutant.original}\n+ ${mutant.replacement}\n`,
    );
  const equivalent = unfound.length - survivors.length;
  const judged = verdicts.length - equivalent;
  const unreached = survivors.filter(({ passes }) => passes === 0).length;
  const share = judged === 0 ? 1 : 1 - survivors.length / judged;
  process.stdout.write(
    `\nfound ${judged - survivors.length} of ${judged} mutants (${(share * 100).toFixed(1)} %), besides ${equivalent} that change nothing; no conversation comes to ${unreached} of the others\n`,
  );
  return share >= GOAL ? 0 : 1;
}
