import { describe } from "vitest";
import { testSdkSession, type Unsupported } from "../support/sdk-session.ts";
import { openDevSdkServer } from "./dev-sdk-server.ts";
import { whyNoDevServer } from "./running-studio.ts";

/** Starting it takes long on a busy machine. */
const TIMEOUT_MS = 150_000;

/** Tests that LangGraph's dev server cannot pass, with the reason. */
const UNSUPPORTED: Unsupported = {
  "are copied with what is known in them, and go on apart":
    "it copies its own checkpoints; these are in Postgres",
  "are streamed whole to a client whose connection breaks":
    "it does not say where to come back to (Location), so the client does not",
  "take the one that runs back, as if it had not been": "one that runs ends in an error and stays",
  "are told that they were cancelled, and so is their thread": "it notes no reason and no end",
};

const missing = await whyNoDevServer();

describe.skipIf(missing !== null)("LangGraph's dev server", () => {
  testSdkSession(openDevSdkServer, { unsupported: UNSUPPORTED, timeoutMs: TIMEOUT_MS });
});
