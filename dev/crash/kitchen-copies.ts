import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { seedDemo } from "../../app/seed-demo.ts";
import { mealsDomain } from "../../meals/index.ts";
import { SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import { columnTypes } from "../../storage/postgres/column-types.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { silentLog } from "../../state/log.ts";
import { databaseUrl, projectMigrations, runSql } from "../../test/support/database-url.ts";
import { PERSON } from "./run-program.ts";

/** A database of one conversation's own: the demo kitchen, and an empty thread. */
export interface KitchenCopy {
  /** Path of the folder with the bundled programs. */
  readonly programs: string;
  /** For `DATABASE_URL` of the program. */
  readonly url: string;
  /** Connections of the owner, from whom no row is hidden. */
  readonly owner: Pool;
  /** Waits until the server has noticed that the program is gone and has ended its statements. */
  abandoned(): Promise<void>;
  /** Drops the database. */
  close(): Promise<void>;
}

/** Creates equal databases. */
export interface KitchenCopies {
  open(): Promise<KitchenCopy>;
  /** Drops the database that they are copied from. */
  close(): Promise<void>;
}

/** Milliseconds between two checks whether the server has noticed that the program is gone. */
const POLL_MS = 10;

/** Server and programs of every copy. */
export interface KitchenParts {
  /** Address of a server, as a user who may create databases. */
  readonly serverUrl: string;
  /** Path of the folder with the bundled programs. */
  readonly programs: string;
}

/** Prepares a database to be copied. */
export async function prepareKitchens({
  serverUrl,
  programs,
}: KitchenParts): Promise<KitchenCopies> {
  const template = `concierge_crash_${randomBytes(6).toString("hex")}`;
  await runSql(serverUrl, `create database ${template} encoding 'UTF8' template template0`);
  await fillTemplate(databaseUrl(serverUrl, template));
  let copies = 0;
  // A database can be copied only once at a time.
  let copying: Promise<unknown> = Promise.resolve();
  return {
    async open() {
      copies += 1;
      const name = `${template}_${copies}`;
      const sql = `create database ${name} template ${template} strategy file_copy`;
      const copied = copying.then(() => runSql(serverUrl, sql));
      copying = copied.catch(() => undefined);
      await copied;
      const url = databaseUrl(serverUrl, name);
      const owner = openOwner(url);
      return {
        programs,
        url,
        owner,
        abandoned: () => waitForBackends(owner),
        close: async () => {
          await owner.end();
          await runSql(serverUrl, `drop database ${name} with (force)`);
        },
      };
    },
    close: () => runSql(serverUrl, `drop database ${template} with (force)`),
  };
}

async function fillTemplate(url: string): Promise<void> {
  const database = await openDatabase({
    url,
    dataDir: "",
    migrations: projectMigrations(),
    log: silentLog,
  });
  const { userId, threadId, today } = PERSON;
  try {
    await seedDemo(database.userData, { domain: mealsDomain, today, reset: false });
  } finally {
    await database.close();
  }
  const owner = openOwner(url);
  try {
    await owner.query("insert into threads (thread_id, user_id) values ($1, $2)", [
      threadId,
      userId,
    ]);
  } finally {
    await owner.end();
  }
}

function openOwner(url: string): Pool {
  const options = `-c search_path=${SEARCH_PATH}`;
  const owner = new Pool({ connectionString: url, options, types: columnTypes, max: 2 });
  owner.on("error", () => undefined);
  return owner;
}

async function waitForBackends(owner: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'concierge-graph'",
    );
    if (rowCount === 0) return;
    await delay(POLL_MS);
  }
}
