import { join } from "node:path";
import type { MigrationFolder } from "../../storage/postgres/migrate.ts";

/** A domain's migrations in small: one protected table, `notes`. */
export const probeMigrations: MigrationFolder = {
  name: "probe",
  path: join(import.meta.dirname, "probe"),
  grants: [{ table: "notes", rights: ["insert", "update", "delete"] }],
};
