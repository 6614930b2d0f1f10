import { findDatabaseFault } from "../../driver/turn-errors.ts";
import { listThreads } from "../../storage/conversations/threads.ts";
import { shortenToWidth } from "../../view/words.ts";
import { readMap } from "../map/map-view.ts";
import { renderMap } from "../map/render-text-map.ts";
import { readThreadState } from "../thread-state.ts";
import type { ChatContext } from "./chat.ts";
import { renderHelp, type ShowingCommand } from "./commands.ts";
import { readCosts } from "./read-costs.ts";
import { renderCosts } from "./render-costs.ts";
import { renderChecklist } from "./render-checklist.ts";
import { renderState } from "./render-state.ts";
import type { Screen } from "./screen.ts";

interface CommandContext {
  readonly chat: ChatContext;
  readonly threadId: string;
  readonly screen: Screen;
}

/** Runs a command and shows its result, or one sentence if it fails. */
export async function showCommand(command: ShowingCommand, context: CommandContext): Promise<void> {
  const { chat, screen } = context;
  try {
    screen.line(await renderWithDatabase(command, context));
  } catch (error) {
    // The person gets the sentence; the stack is for debugging.
    const known = error instanceof Error ? error : new Error(String(error));
    chat.log.debug(`${command.name} failed: ${known.stack ?? known.message}`);
    screen.line(known.message, "red");
  }
}

/** Renders the result of a command, in a second try if the database was away. */
async function renderWithDatabase(
  command: ShowingCommand,
  context: CommandContext,
): Promise<string> {
  try {
    return await renderCommand(command, context);
  } catch (error) {
    const { database } = context.chat.assistant.storage;
    if (findDatabaseFault(error) === null) throw error;
    await database.ensureRunning();
    return renderCommand(command, context);
  }
}

async function renderCommand(command: ShowingCommand, context: CommandContext): Promise<string> {
  const { chat, threadId, screen } = context;
  const { storage } = chat.assistant;
  const { userId } = chat.options;
  const { userData } = storage.database;
  switch (command.name) {
    case "/help":
      return renderHelp(screen.columns());
    case "/threads": {
      const threads = await userData.read(userId, listThreads);
      if (threads.length === 0) return "No conversations yet.";
      return threads
        .map(({ threadId: id, title, updatedAt }) => {
          const mark = id === threadId ? "*" : " ";
          return `${mark} ${id}  ${updatedAt.slice(0, 16).replace("T", " ")}  ${shortenToWidth(title ?? "", 60)}`;
        })
        .join("\n");
    }
    case "/state":
      return renderState(await readThreadState(storage, threadId), screen.columns());
    case "/plan": {
      const { concierge } = await readThreadState(storage, threadId);
      if (concierge.activeWorkflow === null) return "There is no plan in this conversation yet.";
      return renderChecklist(concierge.activeWorkflow, screen.columns());
    }
    case "/map":
      return renderOrDrawMap(command.file, context);
    case "/cost":
      return renderCosts(
        await userData.read(userId, (tx) =>
          readCosts(tx, { threadId, today: chat.today(), timeZone: chat.options.timeZone }),
        ),
      );
    default:
      return command.name satisfies never;
  }
}

async function renderOrDrawMap(
  file: string | null,
  { chat, threadId, screen }: CommandContext,
): Promise<string> {
  const { userId } = chat.options;
  const map = readMap(await chat.assistant.storage.archive.latestBatch({ threadId, userId }));
  if (map.kind === "none") return map.reason;
  if (file === null) return renderMap(map.view, screen.columns());
  // Laying out a graph takes a library that nothing else needs.
  const [{ drawMap }, { writeDrawing }] = await Promise.all([
    import("../map/draw-svg-map.ts"),
    import("../map/write-drawing.ts"),
  ]);
  return `The map is in ${await writeDrawing(file, drawMap(map.view))}`;
}
