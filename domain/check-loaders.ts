import { z } from "zod";
import type { Domain } from "../state/domain.ts";
import type { Queryable, UserData } from "../state/store.ts";
import { assertNoProblems } from "./domain-error.ts";
import { readFirstWords } from "./guard-statements.ts";

/** The form of what each loader returns, and the remedy where there is nothing to say. */
const LOADED = {
  loadProfile: {
    schema: z.object({ text: z.string(), facts: z.record(z.string(), z.unknown()) }),
    empty: 'return { text: "", facts: {} } where there is nothing to say',
  },
  loadSnapshot: { schema: z.string(), empty: 'return "" where there is nothing to say' },
} as const;

const NEW_PERSON = "a person without rows, as everybody is at first";

/**
 * Calls what every turn calls, for a person who has nothing, in transactions that may only read: what
 * fails here would fail a new person's first message. That the database is gone is left to the turn.
 *
 * @throws DomainError with what the database says, or the loader's own error.
 */
export async function checkLoaders(
  domain: Domain,
  userData: Pick<UserData, "read">,
  today: string,
): Promise<void> {
  const userId = "nobody";
  const db = readEach(userData, userId);
  const problems = await Promise.all([
    checkLoader("loadProfile", async () => domain.loadProfile(db, userId)),
    checkLoader("loadSnapshot", async () => domain.loadSnapshot(db, { userId, today })),
  ]);
  assertNoProblems(domain.name, problems.flat());
}

async function checkLoader(
  name: keyof typeof LOADED,
  load: () => Promise<unknown>,
): Promise<string[]> {
  const { schema, empty } = LOADED[name];
  try {
    if (schema.safeParse(await load()).success) return [];
    return [`${name} gives nothing that can be used for ${NEW_PERSON}; ${empty}`];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const { code = "" } = CodeSchema.safeParse(error).data ?? {};
    if (code === "database_unavailable") return [];
    if (error instanceof ChangeError) return [`${name} ${message}`];
    // A name, a right or the syntax of a statement: no rows make it right.
    if (code === "42501") return [`${name} failed: ${message}; describe that table as a type`];
    if (code.startsWith("42")) return [`${name} failed: ${message}; correct its SQL`];
    return [`${name} fails for ${NEW_PERSON}: ${message}; ${empty}`];
  }
}

const CodeSchema = z.object({ code: z.string().optional().catch(undefined) });

/** Thrown for a statement of a loader that would change or lock something. */
class ChangeError extends Error {
  override readonly name = "ChangeError";
}

/** Reads with each statement as a query in a transaction of its own, as a turn does. */
function readEach(userData: Pick<UserData, "read">, userId: string): Queryable {
  return {
    async query(text, values) {
      try {
        return await userData.read(userId, (tx) =>
          tx.query(`select * from (${text}\n) as query`, values),
        );
      } catch (error) {
        const { code = "" } = CodeSchema.safeParse(error).data ?? {};
        if (!isChange(code, text)) throw error;
        throw new ChangeError(
          `sends "${text.replace(/\s+/gu, " ").trim().slice(0, 80)}", and may only read: change rows in a tool`,
          { cause: error },
        );
      }
    },
  };
}

/** Returns true where a statement failed because it is no query, or one with a change or a lock in it. */
function isChange(code: string, text: string): boolean {
  switch (code) {
    case "25006":
      return true;
    case "42601":
      return !/^(?:$|(?:select|with|values|table)\b)/u.test(readFirstWords(text));
    case "0A000":
      return /\b(?:insert|update|delete|merge)\b/iu.test(text);
    default:
      return false;
  }
}
