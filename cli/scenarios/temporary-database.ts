import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Domain } from "../../state/domain.ts";
import { openDatabase, type Database } from "../../storage/postgres/database.ts";
import type { Log } from "../../state/log.ts";

/** Opens an embedded database of its own in a temporary folder; closing it removes it. */
export async function openTemporaryDatabase(domain: Domain, log: Log): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), "concierge-scenarios-"));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const database = await openDatabase({
      url: null,
      dataDir,
      migrations: [{ name: domain.name, path: domain.migrations }],
      log,
      durable: false,
    });
    return { ...database, close: () => database.close().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
