import {
  renderExecutionBlock,
  renderIntentHandover,
  renderStepHelpBlock,
} from "./render-blocks.ts";
import { z } from "zod";
import { EXECUTION, INTENT } from "./concierge-documents.ts";
import { readYaml } from "./read-yaml.ts";

const CASES = readYaml(new URL("signal-pieces.yaml", import.meta.url), z.array(z.string()));

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Whole answers as concierges write them. */
export const ANSWERS: readonly string[] = [
  `That helps.\n\n**Two** things:\n\n- one\n- two\n\n${renderIntentHandover(INTENT)}\n`,
  `Here is how.\n\n\`\`\`yaml\n${renderIntentHandover(INTENT)}\n\`\`\`\n\nMore?`,
  `Let's plan it.\n\n${renderExecutionBlock(EXECUTION, "You are a meal planner.\n\n```\nformat\n```\nBe specific.")}`,
  `# Plan\n\n1. Shop\n2. Cook\n\n\`\`\`js\nif (a << 2 < b) run();\n\`\`\`\n${renderStepHelpBlock({ STEP: "Shop", BLOCKER: "no car", CONTEXT: "null" }, "You run a grocery.")}\nReady?`,
  "A plain answer, with a <b>tag</b>, `code` and a > b << c.\n\n~~~\n```\n~~~\nEnd.",
];

const PIECES: readonly string[] = CASES;

/** A text made of the pieces of signals, or a valid answer with something done to it. */
export function signalText(random: () => number): string {
  return random() < 0.3 ? pieced(random) : mutated(random);
}

function pieced(random: () => number): string {
  const length = 1 + Math.floor(random() * 25);
  return Array.from({ length }, () => pick(PIECES, random)).join("");
}

function mutated(random: () => number): string {
  let text = pick(ANSWERS, random);
  const times = 1 + Math.floor(random() * 5);
  for (let time = 0; time < times; time += 1) text = mutate(text, random);
  return text;
}

function mutate(text: string, random: () => number): string {
  const from = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, from + Math.floor(random() * random() * 80));
  const [before, within, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (Math.floor(random() * 8)) {
    case 0:
      return before + after;
    case 1:
      return before + within + within + after;
    case 2:
      return before;
    case 3:
      return before + pick(PIECES, random) + within + after;
    case 4:
      return before + pick(PIECES, random) + after;
    case 5:
      return after + before;
    case 6:
      return before + within.toUpperCase() + after;
    default:
      return dropLine(text, random);
  }
}

function dropLine(text: string, random: () => number): string {
  const lines = text.split("\n");
  lines.splice(Math.floor(random() * lines.length), 1);
  return lines.join("\n");
}

/** The text cut into chunks at random places, some of them empty. */
export function chunked(text: string, random: () => number): string[] {
  const chunks: string[] = [];
  const most = 1 + Math.floor(random() * 20);
  for (let from = 0; from < text.length;) {
    const length = Math.floor(random() * (most + 1));
    chunks.push(text.slice(from, from + length));
    from += length;
  }
  return chunks;
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("Cannot pick an item: the list is empty");
  return item;
}
