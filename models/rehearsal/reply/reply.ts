import type { Answer } from "../answer.ts";
import { capital, joinWords, stems, indexOfWords } from "../language/words.ts";
import { readProfile } from "../prompt/read-profile.ts";
import { linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { readWishes } from "../prompt/read-wishes.ts";
import type { World } from "../world/world.ts";
import { lowerFirst, outcomeText, withoutRefs, reasonIn } from "./plain.ts";
import { listText, rowsText } from "./rows.ts";
import { readTelling, type Stored, type Telling } from "./telling.ts";

/** Says what came of a message, from what the prompt holds and nothing else. */
export function reply(prompt: ParsedPrompt, world: World): Answer {
  const telling = readTelling(prompt, world);
  const paragraphs = [
    greeting(telling),
    acknowledgement(telling),
    failureText(telling),
    storedText(telling),
    mainText(telling),
    unsavedText(telling),
    cautionText(telling),
    nextText(telling),
  ].filter((text) => text !== "");
  const text = paragraphs.join("\n\n");
  return { kind: "text", text: text === "" ? "There is nothing more to say to this." : text };
}

/** Without a word on where the conversation is, it begins. */
function greeting({ flow, identity }: Telling): string {
  if (flow.begun) return "";
  const persona = /^You are (.+?)\. You tell/s.exec(identity)?.[1] ?? "your assistant";
  return flow.phase === "" ? `Hello and welcome! I am ${persona}.` : "";
}

function acknowledgement({ flow }: Telling): string {
  return flow.excluded.length === 0 ? "" : `Got it: no ${joinWords(flow.excluded)}.`;
}

/** What did not happen, with the reason, refs left out. */
function failureText({ failed, stored }: Telling): string {
  if (failed.length === 0) return "";
  const rows = failed.filter((line) => !/(?:Done for \d+ of \d+|Not reached)/.test(line));
  const lines = (rows.length > 0 ? rows : failed).map((line) => withoutRefs(reasonIn(line)));
  const count =
    stored.length > 0 ? `${stored.length} of ${stored.length + lines.length} were done. ` : "";
  return `${count}This could not be done:\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

const DONE: Readonly<Record<string, string>> = {
  created: "Added",
  updated: "Changed",
  deleted: "Deleted",
};

/** Only what stands under Stored in this turn counts as stored. */
function storedText({ stored, goal }: Telling): string {
  return [...Map.groupBy(stored, ({ action }) => action)]
    .map(([action, rows]) => {
      const saves = action === "created" && /(?:^|; )Save /.test(goal);
      const lead = saves ? "Saved" : (DONE[action] ?? capital(action));
      if (rows.length === 1) return `${lead}: ${storedLine(rows[0])}.`;
      return `${lead}:\n${rows.map((row) => `- ${storedLine(row)}`).join("\n")}`;
    })
    .join("\n\n");
}

function storedLine(row: Stored | undefined): string {
  if (row === undefined) return "";
  return row.facts === "" ? row.label : `${row.label} (${row.facts})`;
}

/** Each goal of the turn in its turn; what would be said twice is said once. */
function mainText(telling: Telling): string {
  const texts = goalsOf(telling).map((goal) => goalText({ ...telling, goal }));
  return [...new Set(texts)].filter((text) => text !== "").join("\n\n");
}

function goalsOf({ goal }: Telling): string[] {
  return goal.split(/; (?=[A-Z])/);
}

function goalText(telling: Telling): string {
  const { goal, rows, outcomes, stored, failed } = telling;
  if (goal === "") return rows.length === 0 ? "" : "I do not know what came of this.";
  const said = /^Say that (.+)$/.exec(goal)?.[1];
  if (said !== undefined) return `${capital(withoutRefs(said))}.`;
  if (goal.startsWith("Say what was not understood")) return notUnderstood(telling);
  const why = /^Say why: (.+)$/.exec(goal)?.[1];
  if (why !== undefined) return `Because of what you said: ${withoutRefs(lowerFirst(why))}.`;
  if (goal.startsWith("Say what can be asked")) return whatCanBeAsked(telling);
  if (goal.startsWith("Say again")) return lastAnswer(telling.recent);
  if (goal.startsWith("Say how things stand"))
    return telling.snapshot === "" ? "I do not know how things stand." : telling.snapshot;
  if (goal.startsWith("Say how many")) return countText(telling);
  if (goal.startsWith("Say what is really there")) return verifiedText(telling);
  if (goal.startsWith("Take note")) return notedText(telling);
  if (goal.startsWith("Take the thanks")) return "You're welcome!";
  if (goal.startsWith("Say hello")) return `Hello! ${whatCanBeAsked(telling)}`;
  if (goal.startsWith("Answer the message")) return whatCanBeAsked(telling);
  if (stored.length > 0) return besides(telling);
  if (rows.length > 0 && /^(?:Show|Look|Find)\b/.test(goal)) return rowsText(telling);
  return failed.length > 0 ? "" : outcomeText(outcomes);
}

/** What a tool said beside the rows it wrote. */
function besides({ outcomes }: Telling): string {
  return outcomes.some((line) => /\bnothing\b/i.test(line)) ? outcomeText(outcomes) : "";
}

/** Small words of other languages, and letters that English does without. */
const OTHER_LANGUAGE =
  / (?:und|oder|nicht|bitte|ich|wir|ist|der|das|ein|eine|kannst|je|vous|pour|les|des|por|para|una|quiero|che|per|voglio) |[äöüßéèêàçñáíóúåø]|[^\p{Script=Latin}\p{N}\p{P}\p{S}\s]/u;

const QUOTED = 120;

function notUnderstood({ message, world }: Telling): string {
  const words = Array.from(message.replace(/\s+/g, " ").trim());
  const quoted = words.length > QUOTED ? `${words.slice(0, QUOTED).join("")}…` : words.join("");
  const foreign = OTHER_LANGUAGE.test(` ${message.toLowerCase()} `)
    ? " I only understand English."
    : "";
  return `I did not understand "${quoted}".${foreign} You can ask me, for example:\n${examples(world)}`;
}

function whatCanBeAsked({ world, identity }: Telling): string {
  const persona = /^You are (.+?)\. You tell/s.exec(identity)?.[1] ?? "your assistant";
  return `I am ${persona}, and I answer from what is stored and from what we said. You can ask me, for example:\n${examples(world)}`;
}

function examples({ examples }: World): string {
  return examples.map((example) => `- ${example}`).join("\n");
}

/** The last answer of the transcript, as it stands there. */
function lastAnswer(recent: string): string {
  const at = recent.lastIndexOf("Assistant: ");
  if (at === -1) return "There is nothing yet that I could say again.";
  const text = recent.slice(at + "Assistant: ".length).split("\nUser: ")[0] ?? "";
  return text.replace(/\n<\/data>$/, "").replace(/\n {2}/g, "\n");
}

function countText({ goal, snapshot, rows, outcomes, world }: Telling): string {
  const part = goal.split(": ")[1] ?? "";
  const counts = (linesOf(snapshot)[0] ?? "")
    .split(",")
    .map((piece) => piece.trim().replace(/\.$/, ""));
  const nouns = Object.entries(world.nouns).flatMap(([noun, name]) =>
    name === part ? [noun] : [],
  );
  const names = [part.replaceAll("_", " "), ...nouns].map(stems);
  const found = names
    .flatMap((name) => counts.filter((piece) => indexOfWords(stems(piece), name) !== -1))
    .at(0);
  if (found !== undefined) return `There are ${found}.`;
  return outcomes.length > 0 ? outcomeText(outcomes) : `There are ${rows.length}.`;
}

function verifiedText(telling: Telling): string {
  const { rows, outcomes, more } = telling;
  const count = rows.length + more;
  if (outcomes.length === 0) return "I could not look.";
  if (count === 0) return "Yes, it is empty: I have just looked, and there are 0 lines.";
  return `No, there are ${count}:\n${listText(telling)}`;
}

/** The wish that was just said, as it is kept. */
function notedText({ wishes, message }: Telling): string {
  const words = new Set(stems(message));
  const lines = linesOf(wishes).filter((line) => {
    const [wish] = readWishes(line);
    return (
      wish !== undefined && stems(wish.text).some((word) => word.length > 3 && words.has(word))
    );
  });
  if (lines.length === 0) return "I have heard it, but I did not keep it as a wish.";
  return `I will keep to that: ${joinWords(lines.map((line) => line.replace(/^- /, "")))}.`;
}

function unsavedText(telling: Telling): string {
  const { unsaved } = telling;
  if (unsaved.length === 0) return "";
  const shown = goalsOf(telling).some((goal) =>
    /^Show (?:a draft|.* again$|.* as it is now$)/.test(goal),
  );
  if (!shown) {
    return `Still ${unsaved.length === 1 ? "a draft" : "drafts"} and not saved: ${unsaved.join("; ")}.`;
  }
  const [only] = unsaved;
  if (unsaved.length === 1) return `${only ?? ""} is a draft and not saved yet. Shall I save it?`;
  return `These ${unsaved.length} are drafts and not saved yet. Shall I save them?`;
}

/** Something was stored that somebody in the profile must not have. */
function cautionText({ profile, stored }: Telling): string {
  const { allergies } = readProfile(profile);
  const hit = allergies.find((allergy) =>
    stored.some(
      ({ label, action }) =>
        action !== "deleted" && stems(label).join(" ").includes(stems(allergy).join(" ")),
    ),
  );
  return hit === undefined ? "" : `Mind that there is an allergy to ${hit} in your household.`;
}

function nextText({ goal, flow, rows, stored, unsaved }: Telling): string {
  if (unsaved.length > 0) return "";
  if (
    goal.startsWith("Show the options") ||
    goal.startsWith("Show what there is to choose") ||
    goal.startsWith("Show which options")
  ) {
    return rows.length === 0
      ? ""
      : "Want me to put one of them on the plan, or shall we narrow it down further?";
  }
  return flow.bridges && stored.length > 0 ? "Anything else?" : "";
}
