import { didYouMean } from "../../text/nearest.ts";
import { hangRows } from "../wrap.ts";

/** Commands that can be typed at the prompt instead of a message. */
export const COMMANDS = {
  "/help": "list these commands",
  "/new": "start a new conversation",
  "/threads": "list your conversations",
  "/undo": "take back the last change",
  "/state": "show what this conversation remembers",
  "/plan":
    "show the plan as a checklist; /plan NAME that of another journey, /plan log its versions",
  "/journeys": "list your journeys in this conversation; /journeys NAME goes back to one",
  "/map":
    "show what the experts said last; /map list names earlier maps, /map 2 shows the one before, /map FILE.svg draws the last",
  "/cost": "show tokens, seconds and money of this turn, this conversation and today",
  "/quit": "leave (so does Ctrl-D)",
} as const;

export type CommandName = keyof typeof COMMANDS;

/** The work of `/map`: show a map by its number, 1 is the last; name all; draw the last into a file. */
export type MapAction =
  | { readonly kind: "show"; readonly number: number }
  | { readonly kind: "list" }
  | { readonly kind: "draw"; readonly file: string };

/** The plan that `/plan` shows: the active journey's, its versions, or that of a journey by its name. */
export type PlanToShow =
  | { readonly kind: "active" | "log" }
  | { readonly kind: "named"; readonly name: string };

/** A command that shows or writes something. */
export type ShowingCommand =
  | { readonly kind: "command"; readonly name: "/map"; readonly map: MapAction }
  | { readonly kind: "command"; readonly name: "/plan"; readonly plan: PlanToShow }
  /** `journey`: the name of the one to go back to; empty to list them. */
  | { readonly kind: "command"; readonly name: "/journeys"; readonly journey: string }
  | {
      readonly kind: "command";
      readonly name: Exclude<
        CommandName,
        "/map" | "/plan" | "/journeys" | "/new" | "/quit" | "/undo"
      >;
    };

/** A typed line, once read. */
export type TypedLine =
  | { readonly kind: "nothing" | "/new" | "/quit" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "unknown"; readonly problem: string }
  | ShowingCommand;

/** Reads a typed line: one whose first word is a command is never sent as a message. */
export function readTypedLine(line: string): TypedLine {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  const [, word, argument = ""] = /^(\/\p{L}*)(?:\s+(.*))?$/su.exec(text) ?? [];
  if (word === undefined) return { kind: "message", text: line };
  const name = word.toLowerCase();
  if (!isCommand(name)) {
    const hint = didYouMean(name, Object.keys(COMMANDS));
    if (argument !== "" && hint === "") return { kind: "message", text: line };
    return refuse(`Unknown command "${word}"${hint || "; /help lists them"}`);
  }
  if (text.includes("\n")) {
    return refuse(
      `Cannot run "${name}" from a text of several lines, and nothing was sent: type commands one at a time; a text that begins with other words is one message`,
    );
  }
  if (name === "/map") {
    const map = readMapAction(argument.trim());
    if (map !== null) return { kind: "command", name, map };
    return refuse(
      `Cannot show the map "${argument.slice(0, 40)}": write a number, list, or a file that ends in .svg, as in /map plan.svg`,
    );
  }
  if (name === "/plan") return { kind: "command", name, plan: readPlanToShow(argument.trim()) };
  if (name === "/journeys") return { kind: "command", name, journey: argument.trim() };
  if (argument !== "") {
    return refuse(`Cannot run "${name}" with "${argument.slice(0, 40)}": write ${name} alone`);
  }
  if (name === "/new" || name === "/quit") return { kind: name };
  if (name === "/undo") return { kind: "message", text: "undo that" };
  return { kind: "command", name };
}

function readPlanToShow(argument: string): PlanToShow {
  if (argument === "") return { kind: "active" };
  return argument.toLowerCase() === "log" ? { kind: "log" } : { kind: "named", name: argument };
}

function readMapAction(argument: string): MapAction | null {
  if (argument === "") return { kind: "show", number: 1 };
  if (argument.toLowerCase() === "list") return { kind: "list" };
  if (/^[1-9]\d{0,3}$/u.test(argument)) return { kind: "show", number: Number(argument) };
  return /\.svg$/iu.test(argument) ? { kind: "draw", file: argument } : null;
}

function refuse(problem: string): TypedLine {
  return { kind: "unknown", problem };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** Renders the list of commands for a width in columns. */
export function renderHelp(columns: number): string {
  return [
    ...Object.entries(COMMANDS).flatMap(([name, about]) =>
      hangRows(about, { prefix: name.padEnd(10), columns }),
    ),
    "A pasted text of several lines is one message. Commands are typed one at a time.",
    "Ctrl-C stops an answer; a second one leaves.",
  ].join("\n");
}
