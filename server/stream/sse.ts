import type { Frame } from "../protocol/frames.ts";
import type { StreamFormat } from "./open-streams.ts";

/** Server-sent events. */
export const SSE: StreamFormat = {
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    // A buffering proxy would hold events back.
    "x-accel-buffering": "no",
  },
  heartbeat: ": heartbeat\n\n",
  goodbye: "retry: 1000\n\n",
};

/** Encodes frames as server-sent events. Pure. */
export function encodeFrames(frames: readonly Frame[]): string {
  return frames.map(encodeFrame).join("");
}

function encodeFrame({ event, data, id }: Frame): string {
  const number = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n${number}\n`;
}
