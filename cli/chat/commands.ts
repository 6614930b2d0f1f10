import { didYouMean } from "../../text/nearest.ts";
import { hangRows } from "../wrap.ts";

/** Commands that can be typed at the prompt instead of a message. */
export const COMMANDS = {
  "/help": "list these commands",
  "/new": "start a new conversation",
  "/threads": "list your conversations",
  "/undo": "take back the last change",
  "/state": "show what this conversation remembers",
  "/plan": "show the plan as a checklist",
  "/map": "show what the experts said last; /map FILE.svg draws it",
  "/cost": "show tokens, seconds and money of this turn, this conversation and today",
  "/quit": "leave (so does Ctrl-D)",
} as const;

export type CommandName = keyof typeof COMMANDS;

/** A command that shows or writes something; `file` is where `/map` draws, null to show the map. */
export interface ShowingCommand {
  readonly kind: "command";
  readonly name: Exclude<CommandName, "/new" | "/quit" | "/undo">;
  readonly file: string | null;
}

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
  if (name === "/map" && argument !== "") {
    if (/\.svg$/iu.test(argument)) return { kind: "command", name, file: argument };
    return refuse(
      `Cannot draw the map into "${argument}": name a file that ends in .svg, as in /map plan.svg`,
    );
  }
  if (argument !== "") {
    return refuse(`Cannot run "${name}" with "${argument.slice(0, 40)}": write ${name} alone`);
  }
  if (name === "/new" || name === "/quit") return { kind: name };
  if (name === "/undo") return { kind: "message", text: "undo that" };
  return { kind: "command", name, file: null };
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
