/** How the talk comes to a plan that is being carried out. */
const OPENING = [
  "we keep ordering takeout and it costs a fortune, what should we do?",
  "we get home after seven, budget is $1,500 a month",
  "I think sunday prep could work",
  "ok let's do it, give me a plan",
  "step 1 is done, what now?",
] as const;

/** What is said over and over while it is; every fourth time it is about the kitchen. */
const SAID = [
  "hm, what should we watch out for with this step? the neighbours come round and the oven is slow",
  "what do we do when one of us is ill on that day?",
  "hm, what should we watch out for with this step when it rains and everybody is late?",
  "what's in my fridge?",
] as const;

/**
 * `turns` messages of a long talk with the concierge: an open question, a plan, then the same
 * questions on its step again and again, so that what grows grows with time alone.
 */
export function adviceConversation(turns: number): readonly string[] {
  return Array.from(
    { length: turns },
    (_, index) => OPENING[index] ?? SAID[index % SAID.length] ?? SAID[0],
  );
}
