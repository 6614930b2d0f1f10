import { NO_MODEL_CHOSEN, type ModelChoice } from "../../../app/model-file.ts";
import { endpointHost, isLoopback, OPENAI_BASE_URL, OPENAI_MODEL } from "../../../models/config.ts";
import { isHttpUrl } from "../../../models/expert-config.ts";
import type { FoundServer } from "../../../models/servers/find-servers.ts";
import type { FoundModel } from "../../../models/servers/read-server.ts";
import { didYouMean } from "../../../text/nearest.ts";
import { plainText } from "../plain-text.ts";
import type { Terminal } from "../session.ts";
import type { KeyToCheck, KeyVerdict } from "./check-key.ts";
import { PersonLeft, Questions } from "./questions.ts";

/** The parts of the dialogue that reach beyond the terminal. */
export interface FirstModelParts {
  /** Servers on this computer that have a model. */
  readonly servers: readonly FoundServer[];
  readonly checkKey: (key: KeyToCheck) => Promise<KeyVerdict>;
  /** Adds settings to `.env`. Throws where it cannot. */
  readonly saveSettings: (values: Readonly<Record<string, string>>) => void;
  /** Stores a choice that needs no key. Throws where it cannot. */
  readonly saveChoice: (choice: ModelChoice) => void;
}

/** The decision of the person. */
export type FirstModel =
  /** Values of settings that hold from now on, in this process at least. */
  | { readonly kind: "chosen"; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: "none" }
  | { readonly kind: "left"; readonly exitCode: number };

/** One of the numbered choices; null to show them again. */
interface Option {
  readonly label: string;
  /** Facts about it, at the right; empty for nothing. */
  readonly note: string;
  readonly choose: () => Promise<FirstModel | null>;
}

/**
 * Asks a person without a model which one to use: one on this computer, one behind a key, or none.
 * Nothing is sent to a model on this computer before it is chosen.
 *
 * Source: models.md §4, "First run".
 */
export async function chooseFirstModel(
  terminal: Terminal,
  parts: FirstModelParts,
): Promise<FirstModel> {
  const questions = new Questions(terminal);
  try {
    questions.show("No model is set. The assistant needs one to understand free text.");
    const options = listOptions(questions, parts);
    for (;;) {
      showNumbered(options, questions);
      const option = await askOption(options, questions);
      const chosen = await option.choose();
      if (chosen !== null) return chosen;
    }
  } catch (error) {
    if (error instanceof PersonLeft) return { kind: "left", exitCode: error.exitCode };
    throw error;
  } finally {
    questions.close();
  }
}

function listOptions(questions: Questions, parts: FirstModelParts): readonly Option[] {
  return [
    ...parts.servers.map((server) => ({
      label: describeServer(server),
      note: describeModel(server.models[0]),
      choose: () => chooseLocal(server, questions, parts),
    })),
    {
      label: "An API key (OpenAI or any compatible endpoint)",
      note: "",
      choose: () => chooseKey(questions, parts),
    },
    {
      label: "Try without a model: simple commands only",
      note: "",
      choose: async () => {
        saveChoice(NO_MODEL_CHOSEN, questions, parts);
        return { kind: "none" };
      },
    },
  ];
}

function showNumbered(rows: readonly Pick<Option, "label" | "note">[], questions: Questions): void {
  const width = Math.max(...rows.map(({ label }) => label.length));
  const digits = `${rows.length}`.length;
  for (const [index, { label, note }] of rows.entries()) {
    const number = `${index + 1}`.padStart(digits);
    questions.show(`  ${number}  ${label.padEnd(width)}  ${note}`.trimEnd());
  }
}

async function askOption(options: readonly Option[], questions: Questions): Promise<Option> {
  const last = options.length;
  questions.show(`Choose 1–${last} (Enter: ${last}), or set it later with "npm run models".`);
  for (;;) {
    const typed = await questions.ask("> ");
    const option = options[(typed === "" ? last : readNumber(typed)) - 1];
    if (option !== undefined) return option;
    questions.show(`Type a number from 1 to ${last}.`);
  }
}

/** Returns 0 for what is no number. */
function readNumber(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
}

/** "Ollama on this computer: qwen3:4b, 3 more" */
function describeServer({ kind, models: [first, ...others] }: FoundServer): string {
  const more = others.length === 0 ? "" : `, ${others.length} more`;
  return `${kind} on this computer: ${showName(first?.name ?? "")}${more}`;
}

/** Its speed is known only once it was asked something. */
function describeModel(model: FoundModel | undefined): string {
  const { parameters = null, traits } = model ?? {};
  const window = traits?.contextWindow ?? null;
  return [
    parameters === null ? "" : `${parameters}B parameters`,
    window === null ? "" : `reads ${window.toLocaleString("en")} tokens`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

const LONGEST_NAME = 40;

/** Whoever listens on a port may name anything. */
function showName(name: string): string {
  const plain = plainText(name);
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME - 1)}…` : plain;
}

async function chooseLocal(
  server: FoundServer,
  questions: Questions,
  parts: FirstModelParts,
): Promise<FirstModel | null> {
  const { kind, baseUrl, models } = server;
  const model = await askModel(models, questions);
  const dialect = kind === "Ollama" ? "ollama" : "chat";
  questions.show(`Using ${showName(model)} at ${endpointHost(baseUrl)}.`);
  saveChoice({ endpoint: baseUrl, model, dialect }, questions, parts);
  return { kind: "chosen", values: { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } };
}

const SHOWN_MODELS = 20;

async function askModel(models: readonly FoundModel[], questions: Questions): Promise<string> {
  const first = models[0]?.name ?? "";
  if (models.length < 2) return first;
  const shown = models.slice(0, SHOWN_MODELS);
  showNumbered(
    shown.map((model) => ({ label: showName(model.name), note: describeModel(model) })),
    questions,
  );
  for (;;) {
    const typed = await questions.ask("Which one? A number or a name (Enter: 1) ");
    if (typed === "") return first;
    const found = shown[readNumber(typed) - 1] ?? models.find(({ name }) => name === typed);
    if (found !== undefined) return found.name;
    const names = models.map(({ name }) => name);
    questions.show(`There is no model "${plainText(typed)}"${didYouMean(typed, names)}`);
  }
}

function saveChoice(
  choice: ModelChoice,
  questions: Questions,
  { saveChoice: save }: FirstModelParts,
): void {
  try {
    save(choice);
  } catch (error) {
    questions.show(`The choice could not be stored: ${describeError(error)}`);
  }
}

async function chooseKey(questions: Questions, parts: FirstModelParts): Promise<FirstModel | null> {
  const baseUrl = await askEndpoint(questions);
  const apiKey = await questions.askHidden("Key (it is not shown): ");
  // Headers take nothing else, and no key has more.
  if (!/^[\x21-\x7e]{1,1000}$/.test(apiKey)) {
    questions.show(apiKey === "" ? "No key was typed." : "A key has no blanks and no accents.");
    return null;
  }
  const model = await askModelName(baseUrl, questions);
  const verdict = await parts.checkKey({ baseUrl, apiKey, model });
  const problem = findProblem(verdict, { model, host: endpointHost(baseUrl) });
  if (problem !== null) {
    questions.show(problem);
    return null;
  }
  questions.show("The key works.");
  const values = {
    OPENAI_API_KEY: apiKey,
    ...(baseUrl === OPENAI_BASE_URL ? {} : { OPENAI_BASE_URL: baseUrl }),
    ...(baseUrl === OPENAI_BASE_URL && model === OPENAI_MODEL ? {} : { OPENAI_MODEL: model }),
  };
  const save = await questions.ask("Save it to .env, readable by you only? (y/N) ");
  if (/^y(?:es)?$/i.test(save)) saveKey(values, questions, parts);
  return { kind: "chosen", values };
}

async function askEndpoint(questions: Questions): Promise<string> {
  for (;;) {
    const typed = await questions.ask(`Address of the endpoint (Enter: ${OPENAI_BASE_URL}) `);
    if (typed === "") return OPENAI_BASE_URL;
    if (isSafeAddress(typed)) return typed;
    questions.show(
      'Write an address that begins with "https://" ("http://" on this computer only).',
    );
  }
}

/** A key is not sent in the clear through a network. */
function isSafeAddress(url: string): boolean {
  return isHttpUrl(url) && (url.startsWith("https:") || isLoopback(url));
}

async function askModelName(baseUrl: string, questions: Questions): Promise<string> {
  const usual = baseUrl === OPENAI_BASE_URL ? OPENAI_MODEL : null;
  for (;;) {
    const typed = await questions.ask(usual === null ? "Model: " : `Model (Enter: ${usual}) `);
    if (typed !== "") return typed;
    if (usual !== null) return usual;
  }
}

interface AskedPlace {
  readonly model: string;
  readonly host: string;
}

/** Returns why a key cannot be used in one sentence; null where it can. */
function findProblem(verdict: KeyVerdict, { model, host }: AskedPlace): string | null {
  switch (verdict.kind) {
    case "accepted": {
      const { models } = verdict;
      if (models.length === 0 || models.includes(model)) return null;
      const hint = plainText(didYouMean(model, models));
      return `The key works, but ${host} has no model "${plainText(model)}"${hint}`;
    }
    case "rejected":
      return `${host} rejected the key.`;
    case "unfit":
      return `${host} does not answer as an endpoint of chat completions (${verdict.status}): check the address, which often ends in /v1, and the model.`;
    case "unreachable":
      return `${host} cannot be reached: check the address and the network.`;
    default:
      return verdict satisfies never;
  }
}

function saveKey(
  values: Readonly<Record<string, string>>,
  questions: Questions,
  { saveSettings }: FirstModelParts,
): void {
  try {
    saveSettings(values);
    questions.show("Saved to .env.");
  } catch (error) {
    questions.show(`It could not be saved, and is used until you leave: ${describeError(error)}`);
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
