import { type ParsedPrompt, type Turn, unfenced } from "../prompt/read-prompt.ts";
import { unquoted } from "./read-person.ts";

/** One instance of a concierge, as its thread shows it. */
export interface Instance {
  /** Null where the first prompt does not say what it is to do. */
  readonly phase: "starter" | "explorer" | "executor" | null;
  /** What the system message says before its first heading: who speaks, and with what in mind. */
  readonly preamble: string;
  /** Sections of the first prompt, the system message's among them. */
  readonly first: (heading: string) => string;
  /** A section of the last prompt. */
  readonly now: (heading: string) => string;
  /** What the last prompt asks for, without the person's words. */
  readonly wrapper: string;
  /** The person's words; empty where they wrote nothing. */
  readonly message: string;
  /** What they said before and got no answer to. */
  readonly unheard: readonly string[];
  readonly meanwhile: readonly string[];
  /** What was said in this instance before, oldest first. */
  readonly exchanges: readonly Exchange[];
}

export interface Exchange {
  readonly person: string;
  readonly concierge: string;
}

/** Takes a concierge's thread apart: what it was told first, what was said, what is asked now. */
export function readInstance({ thread, section, identity, preamble }: ParsedPrompt): Instance {
  const prompts = thread.filter(({ role }) => role === "user");
  const last = prompts.at(-1)?.text ?? "";
  const before = prompts.length > 1 ? [] : earlierIn(section);
  const asked = before.filter(({ person }) => person !== "").length;
  const said = BLOCK_AGAIN.test(last) ? [] : saidIn(last, prompts.length > 1).slice(asked);
  return {
    phase: phaseOf(section, identity),
    preamble,
    first: section,
    now: (heading) => sectionIn(last, heading),
    wrapper: last.replaceAll(FENCED, ""),
    message: said.at(-1) ?? "",
    unheard: said.slice(0, -1),
    meanwhile: meanwhileIn(last),
    exchanges: [...before, ...exchangesOf(thread)],
  };
}

/** A question that the first prompt tells with the answer it got: it was asked before this instance. */
function earlierIn(section: Instance["first"]): Exchange[] {
  const answer = unfenced("answer", section("You Answered"));
  const [question = ""] = saidIn(section("The Query"), false);
  return answer === "" ? [] : [{ person: unquoted(question), concierge: answer }];
}

/** A request of the system that the person never sees. */
const BLOCK_AGAIN = /^Your block could not be read\b/;

function phaseOf(section: Instance["first"], identity: string): Instance["phase"] {
  if (/\bYou are the explorer\b/.test(section("Your Role"))) return "explorer";
  if (section("Capabilities") !== "" || /\bworkflow\b/.test(section("Your Task"))) {
    return "executor";
  }
  return /\b(?:new question|first answer|open the conversation)\b/.test(identity)
    ? "starter"
    : null;
}

const FENCED = /^<message>\n([\s\S]*?)\n?<\/message>$/gm;
const MEANWHILE = "What was done meanwhile:";

/** The person's words in a prompt: fenced, or all of a message that was passed on as it is. */
function saidIn(prompt: string, passedOn: boolean): string[] {
  const fenced = [...prompt.matchAll(FENCED)].map(([, body = ""]) => body);
  const after = prompt.split("\n---\n\n");
  const hasPreface = prompt.startsWith(MEANWHILE) || prompt.startsWith("Said before ");
  if (hasPreface && after.length > 1 && !/^<message>$/m.test(after.at(-1) ?? "")) {
    return [...fenced, after.slice(1).join("\n---\n\n")];
  }
  if (fenced.length > 0) return fenced;
  return passedOn ? [prompt] : [];
}

function sectionIn(prompt: string, heading: string): string {
  const lines = prompt.replaceAll(FENCED, "").split("\n");
  const start = lines.indexOf(`## ${heading}`);
  if (start === -1) return "";
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("## "));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .join("\n")
    .trim();
}

function meanwhileIn(prompt: string): string[] {
  const start = prompt.indexOf(MEANWHILE);
  if (start !== 0 && !prompt.includes(`\n${MEANWHILE}\n`)) return [];
  const lines = prompt.slice(start).split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("- "));
  return lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(2));
}

function exchangesOf(thread: readonly Turn[]): Exchange[] {
  return thread.flatMap(({ role, text }, index) => {
    const before = thread[index - 1];
    if (role !== "assistant" || before?.role !== "user") return [];
    const person = saidIn(before.text, index > 1).join("\n");
    return [{ person: unquoted(person), concierge: withoutBlock(text) }];
  });
}

/** What the person saw of an earlier answer. */
function withoutBlock(text: string): string {
  const start = text.indexOf("<<<");
  return (start === -1 ? text : text.slice(0, start)).trim();
}
