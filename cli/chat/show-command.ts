import { findDatabaseFault } from "../../driver/turn-errors.ts";
import { listThreads } from "../../storage/conversations/threads.ts";
import { shortenToWidth } from "../../view/words.ts";
import { nameBatch, readMap } from "../map/map-view.ts";
import { renderMap } from "../map/render-text-map.ts";
import { hangRows } from "../wrap.ts";
import { readThreadState } from "../thread-state.ts";
import type { ChatContext } from "./chat.ts";
import { renderHelp, type MapAction, type ShowingCommand } from "./commands.ts";
import { readCosts } from "./read-costs.ts";
import { renderCosts } from "./render-costs.ts";
import { renderState } from "./render-state.ts";
import type { Screen } from "./screen.ts";
import { renderPlanCommand, runJourneyCommand, type CommandResult } from "./show-journeys.ts";

interface CommandContext {
  readonly chat: ChatContext;
  readonly threadId: string;
  readonly screen: Screen;
}

/**
 * Runs a command and shows its result, or one sentence if it fails. Returns the message that it stands
 * for; null for none.
 */
export async function showCommand(
  command: ShowingCommand,
  context: CommandContext,
): Promise<string | null> {
  const { chat, screen } = context;
  try {
    const result = await renderWithDatabase(command, context);
    if (typeof result !== "string") return result.message;
    screen.line(result);
  } catch (error) {
    // The person gets the sentence; the stack is for debugging.
    const known = error instanceof Error ? error : new Error(String(error));
    chat.log.debug(`${command.name} failed: ${known.stack ?? known.message}`);
    screen.line(known.message, "red");
  }
  return null;
}

/** Renders the result of a command, in a second try if the database was away. */
async function renderWithDatabase(
  command: ShowingCommand,
  context: CommandContext,
): Promise<CommandResult> {
  try {
    return await renderCommand(command, context);
  } catch (error) {
    const { database } = context.chat.assistant.storage;
    if (findDatabaseFault(error) === null) throw error;
    await database.ensureRunning();
    return renderCommand(command, context);
  }
}

async function renderCommand(
  command: ShowingCommand,
  context: CommandContext,
): Promise<CommandResult> {
  const { chat, threadId, screen } = context;
  const { storage } = chat.assistant;
  const { userId } = chat.options;
  const { userData } = storage.database;
  const { archive } = storage;
  const journeys = { archive, threadId, userId, columns: screen.columns() };
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
      const { journeyPlan: plan } = await readThreadState(storage, threadId);
      return renderPlanCommand(command.plan, { ...journeys, plan });
    }
    case "/journeys":
      return runJourneyCommand(command.journey, journeys);
    case "/map":
      return runMapAction(command.map, context);
    case "/cost":
      return renderCosts(
        await userData.read(userId, (tx) =>
          readCosts(tx, { threadId, today: chat.today(), timeZone: chat.options.timeZone }),
        ),
      );
    default:
      return command satisfies never;
  }
}

/** The maps that `/map list` names at most. */
const LISTED = 20;

async function runMapAction(
  action: MapAction,
  { chat, threadId, screen }: CommandContext,
): Promise<string> {
  const { options, assistant } = chat;
  const limit = action.kind === "show" ? action.number : action.kind === "list" ? LISTED : 1;
  const query = { threadId, userId: options.userId, limit };
  const batches = await assistant.storage.archive.listBatches(query);
  if (action.kind === "list" && batches.length > 0) {
    return batches
      .flatMap((batch, index) =>
        hangRows(nameBatch(batch, options), {
          prefix: `${String(index + 1).padStart(3)}  `,
          columns: screen.columns(),
        }),
      )
      .join("\n");
  }
  const last = batches[limit - 1];
  if (action.kind === "show" && last === undefined && batches.length > 0) {
    return `There is no map ${limit}: this conversation has ${batches.length}; /map list names them.`;
  }
  const map = readMap(last ?? null, options);
  if (map.kind === "none") return map.reason;
  if (action.kind !== "draw") return renderMap(map.view, screen.columns());
  // Laying out a graph takes a library that nothing else needs.
  const [{ drawMap }, { writeDrawing }] = await Promise.all([
    import("../map/draw-svg-map.ts"),
    import("../map/write-drawing.ts"),
  ]);
  return `The map is in ${await writeDrawing(action.file, drawMap(map.view))}`;
}
