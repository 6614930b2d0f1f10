import type { GivenUnderstandAnswer, UnderstandAnswer } from "../../../state/understanding.ts";
import { decidesSomething } from "../../../registry/curation.ts";
import { type Answer, asJson } from "../answer.ts";
import { PATTERNS } from "../language/patterns.ts";
import { readRequest } from "../language/request.ts";
import { partNamed, type Vocabulary } from "../language/vocabulary.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import type { World } from "../world/world.ts";
import { curationOf } from "./curate.ts";
import { expressedOf, reasoningOf } from "./express.ts";
import { wayOf } from "./choose-lane.ts";
import { constraintsOf } from "./keep-wishes.ts";
import { type Memory, readMemory } from "./memory.ts";
import { allReferences, clarificationOf, pickedOptions, withoutCurated } from "./point.ts";

/** Reads a message against what the prompt knows; nothing that does not stand there is known. */
export function understand(prompt: ParsedPrompt, world: World): Answer {
  const memory = readMemory(prompt, world);
  const way = wayOf(memory);
  return way.lane === "concierge" ? listen(memory, way) : remember(memory, way);
}

type Way = Pick<UnderstandAnswer, "lane" | "journey">;

/** What is said to the concierge changes nothing of what stays in view. */
function listen({ request, message }: Memory, way: Way): Answer {
  const words = message.replace(/\s+/g, " ").trim();
  const answer: GivenUnderstandAnswer = {
    reasoning: `The message is for the concierge (${way.journey}).`,
    ...way,
    references: [],
    curation: null,
    constraints: [],
    expressed: `Wants to talk about this: ${Array.from(words).slice(0, 160).join("")}`,
    quick: null,
    clarification: null,
    answersPending: null,
    meta: request.wishes.some(({ kind }) => kind === "meta"),
  };
  return { kind: "value", value: asJson(answer) };
}

function remember(memory: Memory, way: Way): Answer {
  const { request } = memory;
  const curation = curationOf(memory);
  const answersPending = answerTo(memory);
  const references = withoutCurated(allReferences(memory, answersPending), curation);
  const ambiguous = answersPending === null ? clarificationOf(memory) : null;
  const answer: GivenUnderstandAnswer = {
    reasoning: reasoningOf(request.wishes),
    ...way,
    references: ambiguous === null ? references : [],
    curation: decidesSomething(curation) ? curation : null,
    constraints: constraintsOf(memory),
    expressed: expressedOf(memory, curation),
    quick: answersPending === null && ambiguous === null ? quickOf(memory) : null,
    clarification: ambiguous,
    answersPending,
    meta: request.wishes.some(({ kind }) => kind === "meta"),
  };
  return { kind: "value", value: asJson(answer) };
}

function answerTo({ pending, request }: Memory): UnderstandAnswer["answersPending"] {
  if (pending === null) return null;
  const { plain, wishes } = request;
  const own = wishes.filter(({ kind }) => kind !== "yes" && kind !== "no" && kind !== "thanks");
  const picked = pending.options.length > 0 && pickedOptions(plain, pending).length > 0;
  if (picked) return "adjust";
  if (PATTERNS.no.test(plain) && !own.some(({ kind }) => kind === "save")) return "reject";
  const agrees =
    PATTERNS.yes.test(plain) ||
    /\b(?:go ahead|do it|all the same|anyway|anyhow|that is (?:fine|ok|okay|alright))\b/.test(
      plain,
    );
  if (agrees) return "accept";
  if (own.length > 0) return null;
  return "other";
}

/** One look at one part, asked for as such. */
function quickOf(memory: Memory): UnderstandAnswer["quick"] {
  const { request, vocabulary, lastMessage } = memory;
  const [wish, ...others] = request.wishes;
  if (wish === undefined || others.length > 0) return null;
  if (wish.kind === "search") {
    const subdomain = partNamed(vocabulary.world.parts.choices, vocabulary);
    if (subdomain === null || wish.terms.length === 0) return null;
    if (wish.minutes !== null || wish.tags.length > 0) return null;
    return { subdomain, intent: `Find ${subdomain} that use ${wish.terms.join(" or ")}` };
  }
  if (wish.kind === "have") {
    const subdomain = partNamed(vocabulary.world.parts.stock, vocabulary);
    return subdomain === null
      ? null
      : { subdomain, intent: `Find ${subdomain} called ${wish.thing}` };
  }
  if (wish.kind !== "look" || wish.parts.length !== 1) return null;
  const [subdomain = ""] = wish.parts;
  if (wish.elliptic && !asksToLook(lastMessage, vocabulary)) return null;
  return { subdomain, intent: `Look at ${subdomain}: ${wish.phrase}` };
}

function asksToLook(message: string, vocabulary: Vocabulary): boolean {
  const { wishes } = readRequest(message, vocabulary, { aboutDraft: false });
  return wishes.some(({ kind }) => kind === "look" || kind === "verify");
}
