import { clip } from "../registry/shorten.ts";
import type { ArchivedBatch } from "../state/archive.ts";
import { oneLine } from "../text/fence.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, dataSection } from "./part.ts";

/** Batches that a question about sources may mean, and of the words of each. */
const SHOWN = 2;
const WORDS = 6;
/** Of six words, also where no space parts them. */
const CHARACTERS = 60;

/**
 * Renders the section of the last two batches: id, turn, and the first six words that the experts were
 * asked. `batches`: newest first. Empty where there is none. Pure, total.
 *
 * Source: living-plan.md §5.
 */
export function renderBatches(batches: readonly Pick<ArchivedBatch, "turn" | "batch">[]): string {
  return dataSection(
    HEADINGS.expertsAsked,
    bullets(
      batches
        .slice(0, SHOWN)
        .map(
          ({ turn, batch }) => `${batch.id}, turn ${turn}: ${shortenQuestion(batch.question.text)}`,
        ),
    ),
  );
}

function shortenQuestion(prompt: string): string {
  const words = oneLine(prompt).split(" ");
  const first = words.slice(0, WORDS).join(" ");
  return clip(words.length > WORDS ? `${first} …` : first, CHARACTERS);
}
