import { InvalidValue } from "../../cli/command-line.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import { didYouMean } from "../../text/nearest.ts";
import { findShortestFailure } from "./found-failures.ts";
import type { LeftOutSection } from "./play.ts";

const ROLES = ["understand", "think", "act", "reply"] as const;

/** Sections of which an intent has to need one: what a conversation remembers. */
const REMEMBERED = [
  "recentContext",
  "choices",
  "listedLast",
  "drafts",
  "rows",
  "outside",
  "wishes",
  "step",
] as const satisfies readonly (keyof typeof HEADINGS)[];

/** Reads a section as it is given to a command: `reply:choices`. */
export function readLeftOutSection(text: string): LeftOutSection {
  const [word, name = ""] = text.split(":");
  const role = ROLES.find((known) => known === word);
  const heading = new Map<string, string>(Object.entries(HEADINGS)).get(name);
  if (role === undefined) throw new InvalidValue(`begin with ${ROLES.join(", ")} and a colon`);
  if (heading !== undefined) return { role, heading };
  const hint = didYouMean(name, Object.keys(HEADINGS));
  throw new InvalidValue(`name a section, such as ${role}:choices${hint}`);
}

/** Leaves one section after the other out of one prompt; returns those that no conversation has needed. */
export async function listNeedlessSections(search: {
  readonly runs: number;
  readonly turns: number;
  readonly seed: number;
}): Promise<readonly string[]> {
  const needless: string[] = [];
  for (const role of ROLES) {
    for (const name of REMEMBERED) {
      const without = { role, heading: HEADINGS[name] };
      const { failure, cuts } = await findShortestFailure({
        ...search,
        path: "",
        lies: false,
        without,
      });
      if (failure === null && cuts > 0) needless.push(`${role}:${name}`);
    }
  }
  return needless;
}
