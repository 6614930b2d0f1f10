import { z } from "zod";

/** What can be a thread's name, in a path as well. */
export const ThreadIdSchema = z
  .string()
  .regex(/^[\w.:@~-]{1,255}$/, "it is no id: use letters, digits and . : @ ~ - _, at most 255")
  .refine((id) => id !== "." && id !== "..", "it is no id: a path cannot hold it");

/** Any name in a path: of something that is there or not, but text that can be looked up. */
export const PathIdSchema = z
  .string()
  .max(255, "it is too long for an id")
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, "it has characters that cannot be part of an id");
