import { z } from "zod";
import type { ConfirmationDecision } from "../../state/pending.ts";
import { Problem } from "../problems.ts";
import { isSet } from "./assert-unset.ts";
import type { SentInput } from "./run-input.ts";

/** A decision about a confirmation, as its client sent it. */
export interface SentDecision extends Pick<SentInput, "field" | "messageId"> {
  readonly type: ConfirmationDecision["type"];
  /** Left out for the confirmation that waits. */
  readonly confirmation?: string;
}

/** A decision, as clients write it. */
export const DecisionBodySchema = z.object({
  type: z.string().describe("`approve` or `reject`."),
  message: z
    .string()
    .nullish()
    .describe("With `reject`: what to do instead. It is read as a message of the person."),
});
type DecisionBody = z.infer<typeof DecisionBodySchema>;

/**
 * Reads a decision; a rejection with a message is that message.
 *
 * @throws Problem `not_supported` for another type.
 */
export function readDecision({ type, message }: DecisionBody, field: string): Sent {
  if (type === "reject" && message != null && message !== "") {
    return { text: message, field: `${field}/message`, messageId: null };
  }
  if (type === "approve" || type === "reject") return { type, field, messageId: null };
  throw new Problem("not_supported", {
    detail: `Cannot use a decision of type "${type.slice(0, 40)}": the changes are made as they are listed or not at all; approve or reject them, or reject them with a message that says what to do instead`,
    field: `${field}/type`,
  });
}

/** The person's words, or a decision in their place. */
export type Sent = SentInput | SentDecision;

/** Returns true for a decision without words of the person's own. */
export function isDecision(sent: Sent): sent is SentDecision {
  return "type" in sent;
}

const ResumeSchema = z.strictObject({
  decisions: z.tuple([DecisionBodySchema], DecisionBodySchema),
});

const CommandSchema = z.strictObject({
  resume: z.union([
    ResumeSchema.transform((resume) => ({ resume })),
    z
      .record(z.string(), ResumeSchema)
      .transform(Object.entries)
      .pipe(z.tuple([z.tuple([z.string(), ResumeSchema])]))
      .transform(([[confirmation, resume]]) => ({ confirmation, resume })),
  ]),
  update: z.null().optional(),
  goto: z.null().optional(),
});

/**
 * Reads a command of LangGraph's clients: one decision about all changes that wait, or one about each, of
 * the same type; the confirmation that it is about may be named. Null where there is no command.
 *
 * @throws Problem `not_supported` for any other command.
 */
export function readCommand(command: unknown): Sent | null {
  if (!isSet(command)) return null;
  const { data } = CommandSchema.safeParse(command);
  if (data === undefined) {
    throw new Problem("not_supported", {
      detail:
        'Cannot use this "command": decisions are the only ones; send {"resume": {"decisions": [{"type": "approve"}]}}, or leave it out',
      field: "/command",
    });
  }
  const { resume, ...named } = data.resume;
  const field =
    "confirmation" in named
      ? `/command/resume/${named.confirmation}/decisions`
      : "/command/resume/decisions";
  const { decisions } = resume;
  const [{ type }] = decisions;
  if (decisions.some((decision) => decision.type !== type)) {
    throw new Problem("not_supported", {
      detail:
        "Cannot use decisions of several types: all changes are approved or none; reject them with a message that says which to make",
      field,
    });
  }
  const messages = decisions.flatMap(({ message }) => message ?? []);
  return { ...readDecision({ type, message: messages.join("\n") }, `${field}/0`), ...named };
}
