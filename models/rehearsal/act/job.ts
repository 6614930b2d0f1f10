import type { StepType } from "../../../state/plan.ts";
import { type Calendar, readCalendar } from "../language/calendar.ts";
import { readRefs, readRows, type ShownRow } from "../prompt/read-entities.ts";
import { type ProfileFacts, readProfile } from "../prompt/read-profile.ts";
import { linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { readTables, type ShownTable, tableOf } from "../prompt/read-tables.ts";
import { readWishes } from "../prompt/read-wishes.ts";
import type { World } from "../world/world.ts";

/** Everything Act's prompt says about its step, taken apart. */
export interface Job {
  readonly stepType: StepType | null;
  readonly subdomain: string;
  readonly description: string;
  readonly refs: readonly string[];
  /** Outcomes and notes of the steps before. */
  readonly before: readonly string[];
  /** Why it was sent back; empty where it was not. */
  readonly sentBack: string;
  readonly tables: readonly ShownTable[];
  /** The subdomain's table; null where the prompt does not show it. */
  readonly table: ShownTable | null;
  readonly profile: ProfileFacts;
  readonly rows: readonly ShownRow[];
  /** What still can be chosen, as Prior Context says; null where it does not. */
  readonly candidates: readonly string[] | null;
  readonly wishes: readonly string[];
  readonly calendar: Calendar | null;
  /** The plan that is being carried out; empty without one. */
  readonly activePlan: string;
  readonly tools: ReadonlySet<string>;
  readonly calls: ParsedPrompt["calls"];
  readonly world: World;
}

/** Takes Act's prompt apart. */
export function readJob(
  prompt: ParsedPrompt,
  options: { readonly world: World; readonly tools: ReadonlySet<string> },
): Job {
  const { section } = prompt;
  const step = section("Step");
  const [, stepType, subdomain, description] =
    /^Step \d+ of \d+ \((read|analyze|generate|write), ([a-z_]+)\): (.*)$/m.exec(step) ?? [];
  const tables = readTables(section("Tables"));
  const remaining = /^- Remaining candidates: (.+)$/m.exec(section("Prior Context"))?.[1];
  return {
    stepType: isStepType(stepType) ? stepType : null,
    subdomain: subdomain ?? "",
    description: description ?? "",
    refs: readRefs(/^Refs: (.+)$/m.exec(step)?.[1] ?? ""),
    before: linesOf(step).filter((line) => /^Step \d+(?: \(\w+\))?: /.test(line)),
    sentBack: [/^Sent back: (.+)$/m.exec(step)?.[1] ?? "", prompt.sentBack]
      .filter((text) => text !== "")
      .join("; "),
    tables,
    table: tableOf(subdomain ?? "", tables),
    profile: readProfile(section("Profile")),
    rows: readRows(section("Recent Context")),
    candidates: remaining === undefined ? null : readRefs(remaining),
    wishes: readWishes(section("Wishes and rules")).map(({ text }) => text),
    calendar: readCalendar(section("Calendar")),
    activePlan: section("Active Plan"),
    tools: new Set(toolsOf(step).filter((name) => options.tools.has(name))),
    calls: prompt.calls,
    world: options.world,
  };
}

/** The tools that the step may call, as its prompt names them. */
function toolsOf(step: string): string[] {
  return /^Tools: (.+)$/m.exec(step)?.[1]?.split(", ") ?? [];
}

function isStepType(text: string | undefined): text is StepType {
  return text === "read" || text === "analyze" || text === "generate" || text === "write";
}

/** What must not be in anything that is made or chosen: allergies, dislikes, diets, wishes. */
export function avoidedBy({ profile, wishes, world }: Job): string[] {
  const diets = [...profile.diets, ...wishes].flatMap((name) => world.diets[name] ?? []);
  const refused = wishes.flatMap((wish) => {
    const what = /^(?:no|without|allergic to) (.+)$/.exec(wish)?.[1];
    return what === undefined ? [] : what.split(/ (?:and|or) |, /);
  });
  return [...new Set([...profile.allergies, ...profile.dislikes, ...diets, ...refused])];
}
