import type { RowCall } from "../../state/row-call.ts";
import { testAssistant, type Stage, type TestAssistant } from "./conversation.ts";
import { scriptedRoles } from "./node-services.ts";
import {
  makeRowRead,
  makeStep,
  NARRATIVE_ANSWER,
  thinkAnswer,
  understandAnswer,
} from "./turn-state.ts";

/** Models that claim that messages order changes. */
export interface Claims extends Pick<Stage, "database"> {
  /** Rows of this type are shown before the first message. Default: none. */
  readonly shown?: string;
  /** The changes that each message is claimed to order, and the part of the kitchen that they are of. */
  readonly subdomain: string;
  readonly turns: readonly (readonly RowCall[] | "yes")[];
  /** The language of the messages. Default: the reader's. */
  readonly language?: string;
}

/** Opens a conversation in a fresh kitchen whose models claim changes, whatever the messages say. */
export async function claimChanges({
  database,
  shown,
  subdomain,
  turns,
  language,
}: Claims): Promise<TestAssistant> {
  const claimed = turns.map((turn) =>
    turn === "yes"
      ? understandAnswer({ answersPending: "accept" })
      : understandAnswer({ needs: "change", language: language ?? null }),
  );
  const look =
    shown === undefined
      ? []
      : [understandAnswer({ needs: "look", look: makeRowRead({ type: shown, all: true }) })];
  const models = scriptedRoles({
    understand: [...look, ...claimed].map((json) => ({ json })),
    think: turns.flatMap((calls) =>
      calls === "yes"
        ? []
        : [
            {
              json: thinkAnswer({
                steps: [makeStep({ stepType: "write", subdomain, writes: [] })],
                calls: [...calls],
              }),
            },
          ],
    ),
    summarize: [...look, ...turns].map(() => ({ json: NARRATIVE_ANSWER })),
    reply: [...look, ...turns].map(() => "All right."),
  });
  const assistant = await testAssistant({ database, models });
  if (shown !== undefined) await assistant.send(`show the ${shown}`);
  return assistant;
}
