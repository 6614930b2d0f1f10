import type { ChatContext } from "../../cli/chat/chat.ts";
import { Interrupts } from "../../cli/chat/interrupts.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { silentLog } from "../../state/log.ts";

/** The context of a chat in a terminal, on a day in January; without a driver nothing can be sent. */
export function chatContext(
  storage: ChatContext["assistant"]["storage"],
  { driver = SILENT, options = {}, ...rest }: Partial<Omit<ChatContext, "options">> & ChatParts,
): ChatContext {
  let threads = 1;
  return {
    assistant: { driver, storage, limits: DEFAULT_LIMITS },
    options: {
      userId: "demo",
      threadId: null,
      json: false,
      trace: false,
      today: null,
      timeZone: "Europe/Berlin",
      locale: "en",
      model: null,
      resetDemo: false,
      ...options,
    },
    interrupts: new Interrupts({ confirm: true }),
    log: { ...silentLog, error() {}, noteMessage() {} },
    today: () => "2026-01-12",
    now: () => new Date(),
    newId: () => "id",
    newThreadId: () => `thread-${(threads += 1)}`,
    ...rest,
  };
}

interface ChatParts {
  readonly driver?: ChatContext["assistant"]["driver"];
  readonly options?: Partial<ChatContext["options"]>;
}

const SILENT: ChatContext["assistant"]["driver"] = {
  send: () => Promise.reject(new Error("Cannot send: nothing is to be sent")),
  resume: async () => undefined,
  replayTurn: async () => false,
};
