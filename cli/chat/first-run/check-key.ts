import { z } from "zod";

/** A key, the endpoint that it is for, and the model that is asked. */
export interface KeyToCheck {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** The endpoint's verdict on a key. */
export type KeyVerdict =
  /** `models`: names that the endpoint lists, where it does not find the asked one; else empty. */
  | { readonly kind: "accepted"; readonly models: readonly string[] }
  | { readonly kind: "rejected" }
  /** It answers, and not as an endpoint of chat completions would. */
  | { readonly kind: "unfit"; readonly status: number }
  | { readonly kind: "unreachable" };

const ANSWER_MS = 3_000;
const MOST_CHARACTERS = 1 << 20;

/**
 * Checks a key with a completion of one token: a key may complete and not list, and a list may be
 * public. Where that tells nothing of the key, a list of models makes it count as accepted. Sends
 * the key to this endpoint only, and follows no redirect.
 *
 * Source: models.md §2, "The key is checked at start".
 */
export async function checkKey(key: KeyToCheck): Promise<KeyVerdict> {
  const listing = await send(key, "models");
  if (listing === null) return { kind: "unreachable" };
  const models = listing.status === 200 ? await readNames(listing) : null;
  const completion = await send(key, "chat/completions", {
    model: key.model,
    messages: [{ role: "user", content: "Hi" }],
    max_tokens: 1,
  });
  if (completion === null) {
    return models === null ? { kind: "unreachable" } : { kind: "accepted", models: [] };
  }
  const { status } = completion;
  await completion.body?.cancel();
  if (status === 401 || status === 403) return { kind: "rejected" };
  if (status === 404 && models !== null) return { kind: "accepted", models };
  // Whoever finds fault with the request, or with the number of requests, has accepted the key.
  const isAccepted = completion.ok || [400, 402, 422, 429].includes(status) || models !== null;
  return isAccepted ? { kind: "accepted", models: [] } : { kind: "unfit", status };
}

async function send(
  { baseUrl, apiKey }: KeyToCheck,
  path: string,
  body?: object,
): Promise<Response | null> {
  try {
    return await fetch(`${baseUrl.replace(/\/+$/, "")}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    return null;
  }
}

const ListSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Returns the names of a list; null where the answer is none. */
async function readNames({ body }: Response): Promise<readonly string[] | null> {
  let text = "";
  try {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.length > MOST_CHARACTERS) return null;
    }
    return ListSchema.parse(JSON.parse(text)).data.map(({ id }) => id);
  } catch {
    return null;
  }
}
