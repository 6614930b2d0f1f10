import type { ConversationStore, UserThread } from "../state/conversation-store.ts";

/** Watches a thread in progress for another waiting message. */
export interface InboxWatch {
  /** Starts polling; calling it again does nothing. */
  start(): void;
  stop(): void;
}

/** Interval of polling, in milliseconds. Not a setting: `cutGraceSeconds` decides when a batch ends. */
const POLL_MS = 250;

/**
 * Creates a watch that calls `onWaiting` once, when a message waits behind the one that runs. It polls
 * the inbox, because the message may come through another process.
 */
export function createInboxWatch(
  store: Pick<ConversationStore, "countWaiting">,
  thread: UserThread,
  onWaiting: () => void,
): InboxWatch {
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
  };
  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    // A failed query counts as no message: the batch has its own deadline.
    const waiting = await store.countWaiting(thread).catch(() => 0);
    isPolling = false;
    if (waiting <= 1) return;
    stop();
    onWaiting();
  };
  return {
    start() {
      timer ??= setInterval(() => void poll(), POLL_MS).unref();
    },
    stop,
  };
}
