import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { serveHttp } from "./http-server.ts";
import { chatModelAnswers, startOpenAIMock } from "./openai-mock.ts";

/** A response of an endpoint instead of an answer. */
export interface ScriptedResponse {
  readonly status: number;
  /** Default: JSON. */
  readonly type?: string;
  readonly body: string;
}

/** A request to a scripted endpoint. */
export interface ScriptedRequest {
  /** The path after `/v1`. */
  readonly path: string;
  readonly body: string;
}

/** Chooses a response; null lets the simulated model answer, `"silence"` lets the client wait. */
export type EndpointScript = (request: ScriptedRequest) => ScriptedResponse | "silence" | null;

/** A running endpoint. */
export interface ScriptedEndpoint {
  readonly url: string;
  /** The requests so far, in order. */
  readonly requests: readonly ScriptedRequest[];
}

/** Builds an endpoint's error. */
export function endpointError(status: number, code?: string): ScriptedResponse {
  return { status, body: JSON.stringify({ error: { message: "no", code } }) };
}

/** Tests for the completion of one token that a program asks for when it starts. */
export function isStartCheck({ path, body }: ScriptedRequest): boolean {
  return path === "/chat/completions" && body.includes('"max_tokens":1}');
}

/** Builds an endpoint's list of models. */
export function buildModelList(...models: readonly string[]): ScriptedResponse {
  return { status: 200, body: JSON.stringify({ data: models.map((id) => ({ id })) }) };
}

/** Serves an endpoint that answers by a script, else with the simulated model, until the test has ended. */
export async function serveEndpoint(script: EndpointScript): Promise<ScriptedEndpoint> {
  const mock = await startOpenAIMock({
    answer: chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS })),
  });
  onTestFinished(() => mock.close());
  const requests: ScriptedRequest[] = [];
  const port = await serveHttp((incoming, response) => {
    void (async () => {
      const { url = "" } = incoming;
      // Servers on this machine are asked which they are: this one is none of the known ones.
      if (!url.startsWith("/v1/")) {
        response.writeHead(404).end();
        return;
      }
      const path = url.slice("/v1".length);
      const request = { path, body: await text(incoming) };
      requests.push(request);
      const scripted = script(request);
      if (scripted === "silence") return;
      if (scripted !== null) {
        response.writeHead(scripted.status, {
          "content-type": scripted.type ?? "application/json",
          "retry-after-ms": "1",
        });
        response.end(scripted.body);
        return;
      }
      const answer = await fetch(`${mock.baseUrl}${path}`, {
        method: incoming.method ?? "POST",
        headers: { "content-type": "application/json" },
        ...(request.body === "" ? {} : { body: request.body }),
      });
      const type = answer.headers.get("content-type") ?? "application/json";
      response.writeHead(answer.status, { "content-type": type });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  return { url: `http://127.0.0.1:${port}/v1`, requests };
}
