import { z } from "zod";
import { readYaml } from "../../test/support/read-yaml.ts";

const ConversationSchema = z.strictObject({
  id: z.string(),
  lane: z.enum(["task", "concierge"]),
  /** The person's messages. Nothing is killed in the last turn: it shows that the thread goes on. */
  messages: z.array(z.string()),
});
/** A conversation in which the program is killed. */
export type Conversation = z.infer<typeof ConversationSchema>;

/** One of each kind of turn. */
export const CONVERSATIONS: readonly Conversation[] = readYaml(
  new URL("conversations.yaml", import.meta.url),
  z.array(ConversationSchema),
);
