import { didYouMean } from "../nearest.ts";

/** What can be typed at the prompt instead of a message. */
export const COMMANDS = {
  "/help": "list these commands",
  "/new": "begin a new conversation",
  "/threads": "list your conversations",
  "/state": "show what this conversation remembers",
  "/cost": "show the tokens this conversation has used",
  "/quit": "leave (so does Ctrl-D)",
} as const;

export type CommandName = keyof typeof COMMANDS;

/** What a typed line is. */
export type TypedLine =
  | { readonly kind: "nothing" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "command"; readonly name: CommandName }
  | { readonly kind: "unknown"; readonly problem: string };

/** Reads a typed line: a single word that begins with a slash is a command, everything else a message. */
export function readTypedLine(line: string): TypedLine {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  if (!/^\/\p{L}*$/u.test(text)) return { kind: "message", text: line };
  const name = text.toLowerCase();
  if (isCommand(name)) return { kind: "command", name };
  const meant = didYouMean(name, Object.keys(COMMANDS));
  const hint = meant === "" ? "; /help lists them" : meant;
  return { kind: "unknown", problem: `There is no command "${text}"${hint}` };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** The commands, a line each. */
export function renderHelp(): string {
  return [
    ...Object.entries(COMMANDS).map(([name, about]) => `${name.padEnd(10)}${about}`),
    "Ctrl-C stops an answer; a second one leaves.",
  ].join("\n");
}
