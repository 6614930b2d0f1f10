import type { StreamFormat } from "./open-streams.ts";

/** One JSON object per line; an empty line is the heartbeat. */
export const NDJSON: StreamFormat = {
  headers: {
    "content-type": "application/x-ndjson; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  },
  heartbeat: "\n",
  goodbye: "",
};
