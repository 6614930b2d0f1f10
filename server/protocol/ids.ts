import { z } from "zod";
import { invalidRequest } from "../problems.ts";

/** A thread's id: text that can stand in a path. */
export const ThreadIdSchema = z
  .string()
  .regex(
    /^[\w.:@~-]{1,255}$/,
    "it is not an id: use letters, digits and . : @ ~ - _, at most 255 characters",
  )
  .refine((id) => id !== "." && id !== "..", "it is not an id: a path cannot contain it");

const NewThreadSchema = z.object({ thread_id: ThreadIdSchema });

/** Checks the id of a thread that a path names and that is to be created. @throws Problem `invalid_request`. */
export function assertThreadId(threadId: string): void {
  const { error } = NewThreadSchema.safeParse({ thread_id: threadId });
  if (error !== undefined) throw invalidRequest(error, "param");
}

/** An id in a path: any text that can be looked up. */
export const PathIdSchema = z
  .string()
  .max(255, "it is too long for an id")
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, "it has characters that cannot be part of an id");
