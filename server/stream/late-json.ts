import type { StreamFormat } from "./open-streams.ts";

/** One JSON value that arrives late: blank lines keep the connection open until then. */
export const LATE_JSON: StreamFormat = {
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  heartbeat: "\n",
  goodbye: JSON.stringify({
    __error__: {
      error: "stopping",
      message: "Cannot wait any longer: this server is stopping; join the run again",
    },
  }),
};
