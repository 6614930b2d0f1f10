import type { CountTokens, ModelRequest } from "../../state/model.ts";
import type { ModelProfile } from "../profile/profile.ts";

/** The part of a window that answer and thinking may keep from the prompt. */
const MOST_RESERVED = 3 / 8;

/**
 * Returns the tokens of a window that the prompt leaves to the answer. Answer and thinking are bounds
 * that are seldom reached: where the window is narrow they take what is left, and not the prompt's part.
 */
export function reserveTokens(
  answerTokens: number,
  { allowance, contextWindow }: ModelProfile,
): number {
  const wanted = answerTokens + allowance;
  return contextWindow === null
    ? wanted
    : Math.min(wanted, Math.floor(contextWindow * MOST_RESERVED));
}

/** Tokens of an answer that is about to be requested. */
export interface AnswerRoom {
  /** Its bound, as far as the window has room for what is wanted. */
  readonly tokens: number;
  /** True where no more could be asked for. */
  readonly isLargest: boolean;
}

/** Facts that decide how much room an answer gets. */
export interface RoomFacts {
  readonly profile: ModelProfile;
  /** Tokens of the prompt; null where they are not counted. */
  readonly promptTokens: number | null;
  /** Set for an answer that came back cut. */
  readonly doubled: boolean;
}

/** Finds the room of an answer. */
export function findAnswerRoom(
  { maxOutputTokens }: Pick<ModelRequest, "maxOutputTokens">,
  { profile, promptTokens, doubled }: RoomFacts,
): AnswerRoom {
  const { allowance, contextWindow } = profile;
  const most =
    contextWindow === null || promptTokens === null
      ? Infinity
      : Math.max(1, contextWindow - promptTokens);
  const tokens = Math.min((maxOutputTokens + allowance) * (doubled ? 2 : 1), most);
  return { tokens, isLargest: tokens >= most };
}

/** Counts the tokens of messages, tools and schema. */
export function countPrompt(request: ModelRequest, countTokens: CountTokens): number {
  const { schema, tools } = request;
  const forms = [...tools, ...(schema === null ? [] : [schema])];
  return forms.reduce(
    (sum, form) => sum + countTokens(JSON.stringify(form.schema) + form.description),
    countMessages(request, countTokens),
  );
}

/** Counts the tokens of the messages alone. */
export function countMessages({ messages }: ModelRequest, countTokens: CountTokens): number {
  return messages.reduce((sum, { text }) => sum + countTokens(text), 0);
}
