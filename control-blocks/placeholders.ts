/** The placeholder phrases of this project's prompts, then those that models know from elsewhere. */
const TEMPLATES = `
what is known by now | what pulls against what | what nobody could answer |
your first answer in a sentence | what they have just said | what you take them to want |
how they took up your framing | what they told unasked | what needs exploring |
the goal as it is understood now | who they are, what they have to work with |
what is settled, reopened only at their wish | what may come up on the way |
moments that shaped the understanding | what several experts are asked, see below |
title of Step 1 | the step they are on | what holds them up |
the situation and constraints that bear on it |
what the experts are asked for carrying out Step 1 |
what the experts are asked about this blocker: they know nothing else |
list | your interpretation of what they want | what limits them | list what limits them |
how they engaged with your framing | what they pushed back on, or null |
what they pushed back on, if anything | what they volunteered without prompting |
what needs further exploration | what needs probing | shape from turn 1 |
their original question | brief summary of your turn 1 response | what they just said |
explore, decide, challenge | refined goal | refined goal after exploration | one paragraph |
one paragraph synthesis | who they are | who they are, what they're working with | hard limits |
what they optimize for | what they're optimizing for | locked choices |
locked choices—not reopened unless they ask | may surface later | may surface during execution |
key moments | key moments that shaped understanding | expert prompt—see below |
expert prompt for batch fan-out—see below | step 1 title |
user's situation and constraints relevant to this step |
expert prompt specifically for executing step 1 | step name | which step they're on |
what's blocking | what's blocking them | relevant constraints | expert prompt for this blocker |
expert prompt for this specific blocker
`;

const PHRASES: ReadonlySet<string> = new Set(
  TEMPLATES.split("|")
    .map(keepLetters)
    .filter((phrase) => phrase !== ""),
);

const LONGEST_PLACEHOLDER = 200;

/**
 * Returns true when a value only repeats the template's placeholder: one of its phrases, bracketed or
 * bare, or anything that is wholly in braces or angle brackets (`{goal}`, `<goal>`).
 */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (text.length > LONGEST_PLACEHOLDER) return false;
  if (/^["']?(?:\{[^{}]*\}|<[^<>]*>)["']?$/.test(text)) return true;
  const letters = keepLetters(text);
  return letters !== "" && PHRASES.has(letters);
}

function keepLetters(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
