import { z } from "zod";
import { readYaml } from "../../test/support/read-yaml.ts";

/** Number of ways to say each thing: five wordings, then two with typos. */
export const MESSAGE_WORDINGS = 7;

const TABLE = readYaml(
  new URL("wordings.yaml", import.meta.url),
  z.array(
    z.strictObject({
      plain: z.string(),
      others: z.array(z.string()).length(4),
      typos: z.array(z.string()).length(2),
    }),
  ),
);

interface Pattern {
  readonly form: RegExp;
  readonly ways: readonly string[];
}

const PATTERNS: readonly Pattern[] = TABLE.map(({ plain, others, typos }) => ({
  form: toPattern(plain),
  ways: [plain, ...others, ...typos],
}));

/**
 * Says a message of the reference model in another of the `MESSAGE_WORDINGS` ways, counted from 0 (as it is).
 *
 * @throws RangeError for a message that no wording is known for.
 */
export function rewordMessage(message: string, way: number): string {
  for (const { form, ways } of PATTERNS) {
    const groups = form.exec(message)?.groups;
    if (groups === undefined && !form.test(message)) continue;
    const words = ways[way % MESSAGE_WORDINGS] ?? message;
    return words.replaceAll(/\{(\w+)\}/gu, (_, name: string) => groups?.[name] ?? "");
  }
  throw new RangeError(`Cannot reword "${message}": no wording is known for it; add one`);
}

function toPattern(plain: string): RegExp {
  const source = plain
    .replaceAll(/[.?*+()[\]|\\^$]/gu, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/gu, "(?<$1>[^]*?)");
  return new RegExp(`^${source}$`, "u");
}
