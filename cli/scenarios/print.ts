import { styleText } from "node:util";
import type { PlayReport, TurnReport } from "./judge.ts";

/** Text in a colour, or as it is. */
export type Paint = (style: "green" | "red" | "dim" | "bold", text: string) => string;

/** Colours where the output is a terminal that takes them. */
export function paintFor(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

/** What one play comes to: a line with a cell for each turn, and a line for each expectation that does not hold. */
export function renderPlay(
  report: PlayReport,
  { wording, paint }: { readonly wording: number | null; readonly paint: Paint },
): string {
  const name = report.scenario.padEnd(NAME_WIDTH);
  const words = (wording === null ? "as written" : `wording ${wording}`).padEnd(WORDS_WIDTH);
  const cells = report.reports.map((turn) => renderCell(turn, paint));
  const problems = report.reports.flatMap((turn, index) => renderProblems(turn, { index, paint }));
  return [`${name}  ${words}  ${cells.join("  ")}`, ...problems].join("\n");
}

const NAME_WIDTH = 22;
const WORDS_WIDTH = 10;

/** `3/4`: so many of a turn's expectations hold. */
function renderCell({ findings }: TurnReport, paint: Paint): string {
  const holding = findings.filter(({ problem }) => problem === null).length;
  const text = `${holding}/${findings.length}`;
  return paint(holding === findings.length ? "green" : "red", text);
}

function renderProblems(
  { said, findings }: TurnReport,
  { index, paint }: { readonly index: number; readonly paint: Paint },
): string[] {
  const wrong = findings.flatMap(({ expectation, problem }) =>
    problem === null ? [] : [`      ${paint("red", expectation)}: ${problem}`],
  );
  return wrong.length === 0 ? [] : [`    turn ${index + 1} ${paint("dim", `"${said}"`)}`, ...wrong];
}

/** The last line: how many expectations hold, and how many plays hold whole. */
export function renderSummary(plays: readonly PlayReport[], paint: Paint): string {
  const findings = plays.flatMap(({ reports }) => reports).flatMap((turn) => turn.findings);
  const holding = findings.filter(({ problem }) => problem === null).length;
  const whole = plays.filter(isWhole).length;
  const text = `${holding} of ${findings.length} expectations hold; ${whole} of ${plays.length} plays hold whole`;
  return paint(whole === plays.length ? "green" : "red", text);
}

/** Whether every expectation of a play holds. */
export function isWhole({ reports }: PlayReport): boolean {
  return reports.every(({ findings }) => findings.every(({ problem }) => problem === null));
}
