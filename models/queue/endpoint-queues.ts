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
   * Returns the queue of an endpoint and key.
   *
   * A query in the address, a slash at its end and capital letters in its host make no
   * difference; user and password in it count as part of the key. The limits of the first call
   * for a queue hold.
   *
   * @param endpoint Base URL, or another name of an endpoint that has none.
   * @param apiKey Null where the endpoint takes none.
   */
  get(endpoint: string, apiKey: string | null, limits: QueueLimits): EndpointQueue {
    const { place, login } = splitEndpoint(endpoint);
    const hash = createHmac("sha256", this.#secret)
      .update(JSON.stringify([login, apiKey]))
      .digest("hex");
    const name = `${place} ${hash}`;
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new EndpointQueue({ limits });
    this.#queues.set(name, queue);
    return queue;
  }
}

interface SplitEndpoint {
  /** Without query, login and slashes at its end. */
  readonly place: string;
  readonly login: string;
}

function splitEndpoint(endpoint: string): SplitEndpoint {
  const url = URL.parse(endpoint);
  if (url === null) return { place: endpoint, login: "" };
  const place = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
  return { place, login: `${url.username}:${url.password}` };
}
