import { partNamed } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import { stems } from "../language/words.ts";
import { linesOf } from "../prompt/read-prompt.ts";
import { readRefs } from "../prompt/read-entities.ts";
import { countOf, type Situation, part } from "./situation.ts";
import { say, step, type Work, work } from "./work.ts";

/** Says how many there are: from the snapshot, else from a read. */
export function countWork(
  wish: Extract<Wish, { readonly kind: "count" }>,
  situation: Situation,
): Work {
  const { vocabulary, snapshot } = situation;
  const subdomain = partNamed(wish.part, vocabulary);
  if (subdomain !== null && countOf(subdomain, snapshot, vocabulary) !== null) {
    return { steps: [], goal: `Say how many: ${subdomain}` };
  }
  return work(
    `Say how many: ${subdomain ?? ""}`,
    step("read", subdomain, { description: `Count ${subdomain ?? ""}` }),
  );
}

/** Looks whether something is really empty. */
export function verifyWork(
  wish: Extract<Wish, { readonly kind: "verify" }>,
  situation: Situation,
): Work {
  const subdomain = partNamed(wish.part, situation.vocabulary);
  return work(
    `Say what is really there: ${subdomain ?? ""}`,
    step("read", subdomain, { description: `Look whether anything is left in ${subdomain ?? ""}` }),
  );
}

/** Says how things stand. */
export function standingWork({ snapshot }: Situation): Work {
  return snapshot.length === 0
    ? say("it is not known how things stand")
    : { steps: [], goal: "Say how things stand" };
}

/** The oldest turn that is told of: in the history, else in the last turns. */
export function earlierWork({ history, lastTurns }: Situation): Work {
  const told = /^(?:- )?Turn (\d+): (.+)$/m.exec(history);
  if (told?.[2] !== undefined) return say(`the first thing here was (turn ${told[1]}): ${told[2]}`);
  const [, turn, message] = /^\*\*Turn (\d+):\*\* User asked "(.*)"$/m.exec(lastTurns) ?? [];
  if (turn !== "1") return say("the beginning of this conversation is not known");
  return say(`the first thing you asked was: ${message ?? ""}`);
}

/** Why something is not offered stands in the decisions of the last turns. */
export function whyWork({ lastTurns, references }: Situation): Work {
  const reasons = [...lastTurns.matchAll(/^\*\*Understand decisions:\*\* (.+)$/gm)].map(
    ([, text]) => text ?? "",
  );
  const refs = references.map(({ ref }) => ref);
  const about =
    reasons.find((text) => refs.some((ref) => readRefs(text).includes(ref))) ?? reasons.at(-1);
  if (about === undefined) return say("nothing was left out on purpose");
  return { steps: [], goal: `Say why: ${about}` };
}

/** Says whether something is there: from a read. */
export function haveWork(
  wish: Extract<Wish, { readonly kind: "have" }>,
  situation: Situation,
): Work {
  const stock = part(situation, "stock");
  return work(
    `Show ${wish.thing}`,
    step("read", stock, { description: `Find ${stock ?? ""} called ${wish.thing}` }),
  );
}

/** What the last turns stored, as their records say. */
export function recapWork({ lastTurns }: Situation): Work {
  const stored = [...lastTurns.matchAll(/^\*\*Stored:\*\* (.+)$/gm)].map(([, text]) => text ?? "");
  return say(stored.length === 0 ? "nothing was stored in the last turns" : stored.join("; "));
}

/** What was said of something: from the history where it stands there, else from earlier turns. */
export function recallWork(
  wish: Extract<Wish, { readonly kind: "recall" }>,
  situation: Situation,
): Work {
  const wanted = stems(wish.about);
  const told = linesOf(situation.history).filter((line) => {
    const words = new Set(stems(line));
    return wanted.some((word) => words.has(word));
  });
  if (told.length > 0)
    return say(
      `this is what I know of it: ${told.map((line) => line.replace(/^- /, "")).join("; ")}`,
    );
  return work(
    `Tell what was said of ${wish.about}`,
    step("analyze", part(situation, "choices"), { description: `Recall ${wish.about}` }),
  );
}
