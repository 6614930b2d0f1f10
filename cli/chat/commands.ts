import { didYouMean } from "../../text/nearest.ts";
import { hangRows } from "../wrap.ts";

/** Commands that can be typed at the prompt instead of a message. */
export const COMMANDS = {
  "/help": "list these commands",
  "/new": "start a new conversation",
  "/threads": "list your conversations",
  "/state": "show what this conversation remembers",
  "/plan": "show the plan as a checklist",
  "/map": "show what the experts said last; /map FILE.svg draws it",
  "/cost": "show the tokens this conversation has used",
  "/quit": "leave (so does Ctrl-D)",
} as const;

export type CommandName = keyof typeof COMMANDS;

/** A command that only shows or writes something. `file` is the target of a drawn map; null shows the map. */
export type ShowingCommand =
  | {
      readonly kind: "command";
      readonly name: Exclude<CommandName, "/map" | "/new" | "/quit">;
    }
  | { readonly kind: "command"; readonly name: "/map"; readonly file: string | null };

/** A typed line, once read. */
export type TypedLine =
  | { readonly kind: "nothing" }
  | { readonly kind: "message"; readonly text: string }
  | ShowingCommand
  | { readonly kind: "command"; readonly name: "/new" }
  | { readonly kind: "command"; readonly name: "/quit" }
  | { readonly kind: "unknown"; readonly problem: string };

/**
 * Reads a typed line: a single word that begins with a slash is a command, and so is `/map` with a
 * file; everything else is a message.
 */
export function readTypedLine(line: string): TypedLine {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  const file = /^\/map\s+(.*)$/isu.exec(text)?.[1];
  if (file !== undefined) return readMapFile(file);
  if (!/^\/\p{L}*$/u.test(text)) return { kind: "message", text: line };
  const name = text.toLowerCase();
  if (name === "/map") return { kind: "command", name, file: null };
  if (isCommand(name)) return { kind: "command", name };
  const meant = didYouMean(name, Object.keys(COMMANDS));
  const hint = meant === "" ? "; /help lists them" : meant;
  return { kind: "unknown", problem: `Unknown command "${text}"${hint}` };
}

function readMapFile(file: string): TypedLine {
  const isDrawing = /\.svg$/iu.test(file);
  if (isDrawing) return { kind: "command", name: "/map", file };
  const problem = `Cannot draw the map into "${file}": name a file that ends in .svg, as in /map plan.svg`;
  return { kind: "unknown", problem };
}

function isCommand(name: string): name is Exclude<CommandName, "/map"> {
  return name !== "/map" && Object.hasOwn(COMMANDS, name);
}

/** Renders the list of commands for a width in columns. */
export function renderHelp(columns: number): string {
  return [
    ...Object.entries(COMMANDS).flatMap(([name, about]) =>
      hangRows(about, { prefix: name.padEnd(10), columns }),
    ),
    "Ctrl-C stops an answer; a second one leaves.",
  ].join("\n");
}
