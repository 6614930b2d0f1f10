import { Agent, get } from "node:http";
import { parseJson } from "../answers/find-json.ts";
import { isLoopback } from "../config.ts";

/** The answer to a GET on this machine. */
export type LocalAnswer =
  | { readonly kind: "json"; readonly value: unknown }
  /** Something answers, but not with JSON, a status of 200 and a bounded size. */
  | { readonly kind: "other" }
  /** Nothing has answered in time. */
  | { readonly kind: "silent" };

const MOST_BYTES = 1 << 20;
/** Of its own: the shared one may go through a proxy. */
const agent = new Agent({ keepAlive: false });

/**
 * Sends one GET to an address on this machine. Follows no redirect, unpacks nothing, reads at most
 * 1 MiB; anything but a loopback address with `http:` is not asked.
 */
export function getLocalJson(url: string, signal: AbortSignal): Promise<LocalAnswer> {
  if (!url.startsWith("http://") || !isLoopback(url)) return Promise.resolve({ kind: "silent" });
  const { promise, resolve } = Promise.withResolvers<LocalAnswer>();
  const request = get(url, { agent, signal, headers: { accept: "application/json" } });
  // Without an answer in time a server counts as silent, whatever it has begun to send.
  request.on("error", () => resolve({ kind: "silent" }));
  request.on("response", (response) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const refuse = (): void => {
      resolve({ kind: "other" });
      response.destroy();
    };
    response.on("error", () => resolve({ kind: "silent" }));
    if (response.statusCode !== 200) return refuse();
    response.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length > MOST_BYTES) refuse();
      else pieces.push(piece);
    });
    response.on("end", () => resolve(readJson(Buffer.concat(pieces).toString("utf8"))));
  });
  return promise;
}

function readJson(text: string): LocalAnswer {
  const value = parseJson(text);
  return value === undefined ? { kind: "other" } : { kind: "json", value };
}
