import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { silentLog } from "../../state/log.ts";
import { openDatabase, type Database } from "../../storage/postgres/database.ts";
import type { MigrationFolder } from "../../storage/postgres/migrate.ts";
import { databaseUrl, projectMigrations, runSql } from "./database-url.ts";

/** A database whose owner is no superuser: the program's own server is owned by one, who sees everything anyway. */
export interface OwnedDatabase extends Database {
  /** The owner's login, with which the other logins' names begin. */
  readonly name: string;
  /** The address for a login of this name. */
  readonly urlFor: (login: string) => string;
}

/** Opens it, with other logins and their attributes, and drops all after the tests of the file. */
export async function ownedDatabase(
  logins: Readonly<Record<string, string>> = {},
  migrations: readonly MigrationFolder[] = [],
): Promise<OwnedDatabase> {
  const server = inject("databaseServer").url;
  const name = `concierge_owned_${randomBytes(6).toString("hex")}`;
  const others = Object.entries(logins).map(([login, rights]) => [`${name}_${login}`, rights]);
  for (const [login, rights] of [[name, ""], ...others]) {
    await runSql(server, `create role ${login} login password 'x' ${rights}`);
  }
  await runSql(server, `grant concierge_app, concierge_admin to ${name}`);
  await runSql(server, `create database ${name} owner ${name} encoding 'UTF8' template template0`);
  const urlFor = (login: string) => {
    const url = new URL(databaseUrl(server, name));
    return Object.assign(url, { username: login, password: "x" }).toString();
  };
  const opened = await openDatabase({
    url: urlFor(name),
    dataDir: "",
    migrations: [...projectMigrations(), ...migrations],
    log: silentLog,
  });
  afterAll(async () => {
    await opened.close();
    await runSql(server, `drop database ${name} with (force)`);
    for (const [login] of [[name], ...others]) await runSql(server, `drop role ${login}`);
  });
  return { ...opened, name, urlFor };
}
