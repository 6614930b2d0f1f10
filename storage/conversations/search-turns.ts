import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { StoredTurnSchema, TURN_COLUMNS, type StoredTurn } from "./archive-rows.ts";

/** Conditions of a search for turns of a thread. */
export interface TurnSearch {
  readonly threadId: string;
  /** Words to find in message, replies and summary; null for any. */
  readonly query: string | null;
  /** A ref that the turn must name; null for any. */
  readonly ref: string | null;
  readonly limit: number;
}

/** Turns found, and the number of all matches. */
export interface FoundTurns {
  readonly turns: readonly StoredTurn[];
  readonly total: number;
}

/** Not a setting: more words slow the search down and find nothing better. */
const SEARCHED_WORDS = 16;

/**
 * Finds current turns: those that name the ref and hold at least one of the words; most words
 * first, words in the user's message counted twice, then newest first. Case does not matter; parts
 * of words count.
 */
export async function findTurns(tx: Queryable, search: TurnSearch): Promise<FoundTurns> {
  const patterns = search.query === null ? [] : searchPatterns(search.query);
  const { rows } = await tx.query(
    `select *, count(*) over () as total
       from (select ${TURN_COLUMNS},
                    (select count(*) filter (where words ilike pattern)
                          + count(*) filter (where user_message ilike pattern)
                       from unnest($2::text[]) as pattern) as hits
               from turns
              where thread_id = $1 and is_current and ($3::text is null or words ~ $3)) as named
      where hits > 0 or cardinality($2::text[]) = 0
      order by hits desc, turn desc
      limit $4`,
    [search.threadId, patterns, search.ref === null ? null : refPattern(search.ref), search.limit],
  );
  const total = z.number().parse(rows[0]?.["total"] ?? 0);
  return { turns: StoredTurnSchema.array().parse(rows), total };
}

/** Returns one `ilike` pattern for each word of two letters or more; the whole text if it has none. Pure. */
function searchPatterns(query: string): readonly string[] {
  const words = query.split(/[^\p{L}\p{N}\p{M}_]+/u).filter((word) => word.length > 1);
  const trimmed = query.trim();
  const sought = words.length > 0 || trimmed === "" ? words : [trimmed];
  return [...new Set(sought.map((word) => word.toLowerCase()))]
    .slice(0, SEARCHED_WORDS)
    .map((word) => `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`);
}

/** The ref as a whole word: `recipe_3` is neither in `recipe_31` nor in `gen_recipe_3`. */
function refPattern(ref: string): string {
  return String.raw`\m${ref.replace(/\W/g, String.raw`\$&`)}\M`;
}
