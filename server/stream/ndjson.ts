import type { StreamFormat } from "./open-streams.ts";

/** One JSON object a line; an empty line now and then shows that the server is there. */
export const NDJSON: StreamFormat = {
  headers: {
    "content-type": "application/x-ndjson; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  },
  heartbeat: "\n",
  goodbye: "",
};
