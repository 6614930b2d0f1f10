import type { ConversationStore, UserThread } from "../state/conversation-store.ts";

/** Looks whether another message waits in a thread that is being worked on. */
export interface InboxWatch {
  /** Begins to look; calling it again does nothing. */
  begin(): void;
  end(): void;
}

const POLL_MS = 250;

/**
 * Makes a watch that calls `onWaiting` once, when a message waits besides the one that runs. The
 * message may come through another process, so the inbox itself is asked.
 */
export function createInboxWatch(
  thread: UserThread & { readonly store: Pick<ConversationStore, "countWaiting"> },
  onWaiting: () => void,
): InboxWatch {
  let timer: NodeJS.Timeout | null = null;
  let looking = false;
  const end = (): void => {
    if (timer !== null) clearInterval(timer);
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    // Not being able to ask is no message; the batch has its deadline anyway.
    const waiting = await thread.store.countWaiting(thread).catch(() => 0);
    looking = false;
    if (waiting <= 1) return;
    end();
    onWaiting();
  };
  return {
    begin() {
      timer ??= setInterval(() => void look(), POLL_MS).unref();
    },
    end,
  };
}
