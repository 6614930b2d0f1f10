import { availableParallelism, tmpdir } from "node:os";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineCommand, readWholeNumber } from "../../cli/command-line.ts";
import { runWithArguments } from "../../cli/run-command.ts";
import { silentLog } from "../../state/log.ts";
import { startEmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import { embeddedUrl } from "../../test/support/database-url.ts";
import { copyTree, execute, ROOT } from "./copied-tree.ts";
import { judgeSimulator } from "./judge-simulator.ts";
import { applyMutant, readMutants, type Mutant } from "./mutant.ts";

/** The share of mutants that must be killed. */
const GOAL = 0.95;

interface Verdict {
  readonly mutant: Mutant;
  readonly killed: boolean;
}

/** Runs every mutant whose file or promise contains one of the words, and reports; returns the exit code. */
async function checkMutants(words: readonly string[]): Promise<number> {
  const mutants = readMutants().filter(({ file, breaks }) => matches(`${file} ${breaks}`, words));
  if (mutants.length === 0)
    throw new RangeError(`Cannot check mutants: none names "${words.join('" or "')}"`);
  await Promise.all(
    mutants.map(async (mutant) =>
      applyMutant(await readFile(join(ROOT, mutant.file), "utf8"), mutant),
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), "concierge-mutants-"));
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, "pg"),
    log: silentLog,
    durable: false,
  });
  const url = embeddedUrl(postgres.connection);
  try {
    const copies = await Promise.all(
      Array.from({ length: availableParallelism() }, (_, at) =>
        copyTree(join(folder, `copy-${at}`)),
      ),
    );
    const [first = folder] = copies;
    const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
    if (!(await passes(first, tests, url))) {
      throw new Error(
        "Cannot check mutants: the tests fail without one; run them and mend that first",
      );
    }
    return report(await judgeAll(mutants, copies, url));
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function matches(text: string, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => text.includes(word));
}

async function judgeAll(
  mutants: readonly Mutant[],
  copies: readonly string[],
  url: string,
): Promise<readonly Verdict[]> {
  const waiting = [...mutants];
  const verdicts: Verdict[] = [];
  const judge = async (copy: string): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const killed = await isKilled(mutant, copy, url);
      verdicts.push({ mutant, killed });
      process.stdout.write(
        `${killed ? "killed  " : "SURVIVED"} ${mutant.file}: ${mutant.breaks}\n`,
      );
    }
  };
  await Promise.all(copies.map(judge));
  return verdicts;
}

async function isKilled(mutant: Mutant, copy: string, url: string): Promise<boolean> {
  const path = join(copy, mutant.file);
  const text = await readFile(path, "utf8");
  await writeFile(path, applyMutant(text, mutant));
  try {
    return !(await passes(copy, mutant.tests, url));
  } finally {
    await writeFile(path, text);
  }
}

/** @throws Error where no test ran, which would pass for a kill. */
async function passes(copy: string, tests: readonly string[], url: string): Promise<boolean> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--no-cache", "--reporter=dot", ...tests];
  const { code, output } = await execute(process.execPath, args, copy, { DATABASE_URL: url });
  if (code === null) return false;
  if (/^ *(?:Test Files|Tests) .*\d/m.test(output)) return code === 0;
  throw new Error(`Cannot run ${tests.join(", ")}: ${output.slice(-2_000)}`);
}

function report(verdicts: readonly Verdict[]): number {
  const survivors = verdicts.filter(({ killed }) => !killed);
  const share = 1 - survivors.length / verdicts.length;
  process.stdout.write(
    `\nkilled ${verdicts.length - survivors.length} of ${verdicts.length} (${Math.floor(share * 100)} %)\n`,
  );
  for (const { mutant } of survivors) {
    const { file, find, replace, breaks, tests } = mutant;
    process.stdout.write(
      `\n${file}: no test of ${tests.join(", ")} notices that "${breaks}" is broken\n- ${find}\n+ ${replace}\n`,
    );
  }
  return share >= GOAL ? 0 : 1;
}

const MUTANTS = defineCommand({
  start: "npm run mutants --",
  about: `
Plants the mistakes of dev/mutants/mutants.yaml one after the other in a copy of the tree and runs the
tests of their area. With --made, mistakes that are made from the syntax of the registry, the working
set, the receipts and what renders them take their place, and 400 made-up conversations that of the
tests. Prints each mistake that nobody notices. Exits with 1 where less than 95 % are noticed, with 2
for a wrong argument.`,
  arguments: {
    words: ["WORD…", "only mistakes whose file or promise has one of the words", String],
    made: ["--made", "judges the simulator of conversations by made mistakes"],
    sample: [
      "--sample NUMBER",
      "how many made mistakes, 0 for all",
      readWholeNumber(0, 99_999),
      150,
    ],
    seed: ["--seed NUMBER", "draws others", readWholeNumber(0, 999_999_999), 7],
  },
});

await runWithArguments(MUTANTS, ({ words, made, sample, seed }) =>
  made ? judgeSimulator({ words, sample, seed }) : checkMutants(words),
);
