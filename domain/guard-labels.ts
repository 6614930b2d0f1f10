import type { Domain } from "../state/domain.ts";
import type { EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { Log } from "../state/log.ts";
import { rememberFor } from "../state/remember.ts";
import { oneLine } from "../text/fence.ts";
import { hideDatabaseIds } from "../text/quote-value.ts";

/**
 * Makes a domain whose labels and facts cannot end a turn, and are one line each: a row's name forges
 * no line of a list. Where one throws, the row goes by the noun of its type, or without facts, and that
 * is logged once.
 */
export function guardLabels(domain: Domain, log: Pick<Log, "warn">): Domain {
  return guardFor(log)(domain);
}

const guardFor = rememberFor((log: Pick<Log, "warn">) =>
  rememberFor((domain: Domain): Domain => ({
    ...domain,
    entityTypes: domain.entityTypes.map((type) => guardType(type, log)),
  })),
);

function guardType(type: EntityType, log: Pick<Log, "warn">): EntityType {
  const { label, facts, words } = type;
  return {
    ...type,
    label: guardText(label, {
      instead: words.one,
      report: (error) =>
        log.warn(
          `The label of type "${type.type}" failed, so its rows are called "${words.one}": ${error}`,
        ),
    }),
    ...(facts !== undefined && {
      facts: guardText(facts, {
        instead: "",
        report: (error) =>
          log.warn(`The facts of type "${type.type}" failed, so they are left out: ${error}`),
      }),
    }),
  };
}

interface Fallback {
  readonly instead: string;
  /** Called with the first error. */
  readonly report: (error: string) => void;
}

function guardText(
  render: (values: JsonObject) => string,
  { instead, report }: Fallback,
): (values: JsonObject) => string {
  let isReported = false;
  return (values) => {
    try {
      return oneLine(render(values));
    } catch (error) {
      if (!isReported) report(describeError(error));
      isReported = true;
      return instead;
    }
  };
}

const DESCRIBED_CHARACTERS = 200;

/** An error on one short line, without ids. */
function describeError(error: unknown): string {
  return hideDatabaseIds(String(error)).replace(/\s+/g, " ").slice(0, DESCRIBED_CHARACTERS);
}
