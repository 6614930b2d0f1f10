import { z } from "zod";

/** What a process of the service is to be. */
export const ServiceTaskSchema = z.object({
  role: z.enum(["all", "server", "worker"]),
  /** `instant` answers without computing anything; `simulated` is the program's own. */
  models: z.enum(["instant", "simulated"]),
});
export type ServiceTask = z.infer<typeof ServiceTaskSchema>;

/** What a process says first: where it answers, if it does. */
export const ReadySchema = z.object({ url: z.string().nullable() });

/** What a process holds, once its garbage is collected; sizes in bytes. */
export const ServiceStateSchema = z.object({
  resident: z.number(),
  /** Of the heap and of buffers beside it. */
  heap: z.number(),
  /** Of all its threads, since its beginning. */
  cpuMs: z.number(),
  /** Open sockets, those to the database too. */
  sockets: z.number(),
  /** Answers that are still being written. */
  streams: z.number(),
  /** To the database, in the pool. */
  connections: z.number(),
  /** Of the process and of the pool. */
  listeners: z.number(),
});
export type ServiceState = z.infer<typeof ServiceStateSchema>;
