import { z } from "zod";
import { invalidRequest } from "../problems.ts";

/** A thread's id: text that can stand in a path. */
export const ThreadIdSchema = z
  .string()
  .regex(/^[\w.:@~-]{1,255}$/, "it is no id: use letters, digits and . : @ ~ - _, at most 255")
  .refine((id) => id !== "." && id !== "..", "it is no id: a path cannot hold it");

const NewThreadSchema = z.object({ thread_id: ThreadIdSchema });

/** Checks the id of a thread that is to be made of a path. @throws Problem `invalid_request`. */
export function assertThreadId(threadId: string): void {
  const { error } = NewThreadSchema.safeParse({ thread_id: threadId });
  if (error !== undefined) throw invalidRequest(error, "param");
}

/** Any name in a path: of something that is there or not, but text that can be looked up. */
export const PathIdSchema = z
  .string()
  .max(255, "it is too long for an id")
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, "it has characters that cannot be part of an id");
