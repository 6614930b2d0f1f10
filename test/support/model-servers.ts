import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Json, JsonObject } from "../../state/json.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import { serveHttp } from "./http-server.ts";

/** A request as a scripted server got it. */
export interface SeenRequest {
  readonly route: string;
  readonly body: JsonObject | null;
}

/** A scripted model server on loopback. */
export interface ModelServer {
  readonly port: number;
  readonly origin: string;
  /** Every request so far, in order. */
  readonly requests: readonly SeenRequest[];
}

/** Serves these answers by method and path (`GET /props`); everything else is 404. */
export async function serveRoutes(
  routes: Readonly<Record<string, Json | RequestListener>>,
  host: "127.0.0.1" | "::1" = "127.0.0.1",
): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method} ${request.url}`;
    requests.push({ route, body: await readBody(request) });
    const answer = routes[route];
    if (typeof answer === "function") {
      answer(request, response);
      return;
    }
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "not found" }));
  };
  const port = await serveHttp((request, response) => void respond(request, response), host);
  const name = host === "::1" ? `[${host}]` : host;
  return { port, origin: `http://${name}:${port}`, requests };
}

async function readBody(request: IncomingMessage): Promise<JsonObject | null> {
  const body = await text(request);
  return body === "" ? null : JsonObjectSchema.parse(JSON.parse(body));
}

/** Answers of servers, as their references show them. */
export const OLLAMA_ROUTES = {
  "GET /api/version": { version: "0.12.3" },
  "GET /api/tags": {
    models: [
      {
        name: "qwen3:4b",
        model: "qwen3:4b",
        size: 2_620_788_260,
        details: { family: "qwen3", parameter_size: "4.0B", quantization_level: "Q4_K_M" },
        capabilities: ["completion", "tools", "thinking"],
      },
      {
        name: "llama3.3:latest",
        details: { family: "llama", parameter_size: "70.6B" },
        capabilities: ["completion", "tools"],
      },
      {
        name: "gpt-oss:120b-cloud",
        remote_host: "https://ollama.com:443",
        details: { family: "gptoss", parameter_size: "116.8B" },
        capabilities: ["completion", "tools", "thinking"],
      },
      { name: "nomic-embed-text", details: { family: "nomic-bert", parameter_size: "137M" } },
    ],
  },
} as const satisfies Record<string, Json>;

export const STUDIO_ROUTES = {
  "GET /api/v0/models": {
    object: "list",
    data: [
      {
        id: "phi-4-mini-instruct",
        type: "llm",
        state: "not-loaded",
        max_context_length: 131_072,
        capabilities: [],
      },
      {
        id: "qwen/qwen3-14b",
        type: "llm",
        state: "loaded",
        max_context_length: 32_768,
        loaded_context_length: 12_000,
        capabilities: ["tool_use"],
      },
      { id: "text-embedding-nomic", type: "embeddings", state: "loaded" },
    ],
  },
} as const satisfies Record<string, Json>;

export const LLAMA_ROUTES = {
  "GET /props": {
    default_generation_settings: { n_ctx: 16_384 },
    total_slots: 4,
    model_path: "/models/gemma.gguf",
    chat_template_caps: { supports_tools: false },
  },
  // It imitates Ollama's list of models.
  "GET /api/tags": { models: [{ name: "gemma.gguf", details: { parameter_size: "" } }] },
  "GET /v1/models": { object: "list", data: [{ id: "gemma-3-12b" }] },
} as const satisfies Record<string, Json>;

export const VLLM_ROUTES = {
  "GET /v1/models": {
    object: "list",
    data: [{ id: "Qwen/Qwen2.5-14B-Instruct", owned_by: "vllm", max_model_len: 32_768 }],
  },
} as const satisfies Record<string, Json>;

/** The answer of Ollama's `/api/chat`: lines of JSON. */
export function chatLines(...lines: readonly Json[]): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    response.end();
  };
}
