import { createHmac, randomBytes } from "node:crypto";
import { EndpointQueue, type QueueLimits } from "./endpoint-queue.ts";

/**
 * The queues of a process, one for each pair of endpoint and key (models.md §1).
 *
 * Contract: roles, experts and threads that name the same endpoint and key get the same queue. No
 * key is kept, only a hash that another process cannot repeat.
 */
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #secret = randomBytes(32);

  /**
   * Returns the queue of an endpoint and key. The limits of the first call for a queue hold.
   *
   * @param endpoint Its address as `endpointAddress` writes it.
   * @param apiKey Null where the endpoint takes none.
   */
  get(endpoint: string, apiKey: string | null, limits: QueueLimits): EndpointQueue {
    const name = createHmac("sha256", this.#secret)
      .update(JSON.stringify([endpoint, apiKey]))
      .digest("hex");
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new EndpointQueue({ limits });
    this.#queues.set(name, queue);
    return queue;
  }
}
