import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { z } from "zod";
import { defineDomain } from "../../domain/define-domain.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { describeLibrary } from "./library.ts";

/** A printed description of tables, and the changes that a person makes to it. */
export interface DescribedDomain {
  readonly name: string;
  readonly printed: string;
  /** Edits a type. */
  readonly edit?: (type: EntityType) => EntityType;
}

/** Makes domains of printed descriptions, each with a folder of its own until the tests of the file are over. */
export async function describedDomains(): Promise<(described: DescribedDomain) => Promise<Domain>> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-domain-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (described) => readDescribed(folder, described);
}

async function readDescribed(
  folder: string,
  { name, printed, edit = (type) => type }: DescribedDomain,
): Promise<Domain> {
  const [source = "", migration = ""] = printed.split("/* migrations/0001_existing_tables.sql\n");
  const [module, migrations] = [join(folder, `${name}.mjs`), join(folder, name)];
  await writeFile(module, stripTypeScriptTypes(source));
  await mkdir(migrations);
  await writeFile(join(migrations, "0001_existing_tables.sql"), migration.replace("*/", ""));
  const described: unknown = await import(module);
  const { ENTITY_TYPES } = z
    .object({ ENTITY_TYPES: z.custom<readonly EntityType[]>(Array.isArray) })
    .parse(described);
  const entityTypes = ENTITY_TYPES.map(edit);
  return defineDomain(
    describeLibrary({
      name,
      entityTypes,
      subdomains: [
        {
          name: "orders",
          type: entityTypes[0]?.type ?? "",
          reads: entityTypes.map(({ type }) => type),
          about: "orders",
        },
      ],
      tools: [],
      checks: [],
      migrations,
    }),
  );
}
