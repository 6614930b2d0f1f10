import { z } from "zod";
import type { SentenceStore } from "../../state/sentence-store.ts";
import type { Queryable } from "../../state/store.ts";

const RowSchema = z.object({ id: z.string(), mark: z.string(), text: z.string() });

/** Keeps translations of code's sentences in the program's database, for all its processes. */
export function createSentenceStore(pool: Queryable): SentenceStore {
  return {
    load: async (language) => {
      const { rows } = await pool.query(
        "select id, mark, text from sentences where language = $1 order by id",
        [language],
      );
      return RowSchema.array().parse(rows);
    },
    save: async (language, sentences) => {
      await pool.query(
        `insert into sentences (language, id, mark, text)
         select $1, * from unnest($2::text[], $3::text[], $4::text[])
         on conflict (language, id) do update set mark = excluded.mark, text = excluded.text`,
        [
          language,
          sentences.map(({ id }) => id),
          sentences.map(({ mark }) => mark),
          sentences.map(({ text }) => text),
        ],
      );
    },
  };
}
