import type { Json } from "../../state/json.ts";
import type {
  CallFigures,
  LanguageModel,
  ModelAnswer,
  ModelRequest,
  ToolCall,
  Usage,
} from "../../state/model.ts";

/** A tool call of a script; the id is made up where it is left out. */
export type ScriptedCall = Pick<ToolCall, "name" | "args"> & Partial<ToolCall>;

/** Parts of a scripted answer; everything left out is empty. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly json?: Json;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Default: false. */
  readonly truncated?: boolean;
  /** Default: false. */
  readonly refused?: boolean;
  readonly usage?: Usage;
  /** Figures of a model that measures its calls. Default: none. */
  readonly call?: CallFigures;
}

/** One answer of a script: a text, its parts, an error to throw, or a function of the request. */
export type ScriptEntry =
  | string
  | ScriptedAnswer
  | Error
  | ((request: ModelRequest) => string | ScriptedAnswer | Error);

/** A model that follows its script and keeps what it was asked. */
export interface ScriptedModel extends LanguageModel {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
  /** Number of entries that have not been used. */
  remaining(): number;
}

/**
 * Makes a model that gives the entries as its answers, one a call.
 *
 * Text goes to `onText` in two pieces, so that a caller that keeps only the last piece is found
 * out. A call beyond the script throws an error that names the role and the number of the call.
 */
export function scriptedModel(script: ScriptEntry | readonly ScriptEntry[]): ScriptedModel {
  const entries: ScriptEntry[] = isList(script) ? [...script] : [script];
  const requests: ModelRequest[] = [];
  return {
    name: "scripted",
    requests,
    remaining: () => entries.length,
    complete(request) {
      requests.push(request);
      const entry = entries.shift();
      if (entry === undefined) {
        return Promise.reject(
          new Error(
            `Cannot answer "${request.role}": the script ended before call ${requests.length}`,
          ),
        );
      }
      return answer(entry, request);
    },
  };
}

async function answer(entry: ScriptEntry, request: ModelRequest): Promise<ModelAnswer> {
  request.signal?.throwIfAborted();
  const made = typeof entry === "function" ? entry(request) : entry;
  if (made instanceof Error) throw made;
  const parts: ScriptedAnswer = typeof made === "string" ? { text: made } : made;
  const text = parts.text ?? (parts.json === undefined ? "" : JSON.stringify(parts.json));
  if (request.onText !== null) for (const piece of halves(text)) request.onText(piece);
  return {
    text,
    json: parts.json ?? (request.schema === null ? undefined : parseJson(text)),
    toolCalls: (parts.toolCalls ?? []).map(toToolCall),
    truncated: parts.truncated ?? false,
    refused: parts.refused ?? false,
    usage: parts.usage ?? { input: 0, cached: 0, output: 0 },
    ...(parts.call === undefined ? {} : { call: parts.call }),
  };
}

function toToolCall(call: ScriptedCall, index: number): ToolCall {
  return { id: `call_${index + 1}`, argsError: null, ...call };
}

function isList(script: ScriptEntry | readonly ScriptEntry[]): script is readonly ScriptEntry[] {
  return Array.isArray(script);
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
