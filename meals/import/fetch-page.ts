import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import ipaddr from "ipaddr.js";
import { ToolInputError } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";

const MAX_BYTES = 2_000_000;
const MAX_SECONDS = 8;
const MAX_REDIRECTS = 3;

/** An address a name stands for. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** External dependencies of fetching, which tests replace. */
export interface FetchPageOptions {
  readonly signal: AbortSignal | null;
  readonly resolve?: (host: string) => Promise<readonly HostAddress[]>;
  readonly allows?: (address: string) => boolean;
  /** The port that is connected to; that of the address unless given. */
  readonly port?: number;
}

/**
 * Fetches a web page as text.
 *
 * Contract: every name is resolved once, all its addresses have to be public, and the connection
 * goes to the very address that was checked; the same for each redirect. At most 2 MB and 8 seconds.
 *
 * @throws ToolInputError that says why the page was not fetched.
 */
export async function fetchPage(url: string, options: FetchPageOptions): Promise<string> {
  const timeout = AbortSignal.timeout(MAX_SECONDS * 1000);
  const signal = options.signal === null ? timeout : AbortSignal.any([options.signal, timeout]);
  let target = readUrl(url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await open(target, { ...options, signal });
    const location = readRedirect(response);
    if (location === null) return readBody(response, target);
    response.destroy();
    target = readUrl(URL.parse(location, target.href)?.href ?? location);
  }
  throw refused(url, `it redirects more than ${MAX_REDIRECTS} times`);
}

/** Returns true when an address is on the public internet, not local to a machine, a home or a provider. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw refused(text, "it is no web address");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw refused(text, "only http and https pages are fetched");
  }
  if (url.username !== "" || url.password !== "") throw refused(text, "it holds credentials");
  if (url.port !== "" && url.port !== "80" && url.port !== "443") {
    throw refused(text, `port ${url.port} is not fetched from`);
  }
  return url;
}

async function open(
  url: URL,
  options: FetchPageOptions & { readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address = await checkedAddress(url, host, options);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  try {
    return await new Promise((resolve, reject) => {
      send(
        url,
        {
          signal: options.signal,
          ...(options.port === undefined ? {} : { port: options.port }),
          headers: { accept: "text/html, text/plain", "accept-encoding": "identity" },
          // The address that was checked, whatever the name says by now.
          lookup: (_host, lookupOptions, done) => {
            if (lookupOptions.all === true) done(null, [address]);
            else done(null, address.address, address.family);
          },
        },
        resolve,
      )
        .on("error", reject)
        .end();
    });
  } catch (error) {
    throw failed(url, error, options);
  }
}

async function checkedAddress(
  url: URL,
  host: string,
  { resolve = resolveHost, allows = isPublicAddress }: FetchPageOptions,
): Promise<HostAddress> {
  const addresses = await resolve(host).catch(() => []);
  const [first] = addresses;
  if (first === undefined) throw refused(url.href, `the host "${host}" is not known`);
  if (addresses.some(({ address }) => !allows(address))) {
    throw refused(url.href, `the host "${host}" is not on the public internet`);
  }
  return first;
}

function resolveHost(host: string): Promise<readonly HostAddress[]> {
  return lookup(host, { all: true });
}

function readRedirect({ statusCode = 0, headers }: IncomingMessage): string | null {
  return statusCode >= 300 && statusCode < 400 ? (headers.location ?? null) : null;
}

async function readBody(response: IncomingMessage, url: URL): Promise<string> {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    throw refused(url.href, `the page answered with status ${statusCode}`);
  }
  if (!/^(text\/|application\/xhtml)/.test(headers["content-type"] ?? "text/html")) {
    response.destroy();
    throw refused(url.href, `it is no text but ${headers["content-type"]}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      const bytes: Buffer = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_BYTES)
        throw refused(url.href, `it is larger than ${MAX_BYTES / 1_000_000} MB`);
      chunks.push(bytes);
    }
  } catch (error) {
    throw error instanceof ToolInputError ? error : failed(url, error, { signal: null });
  }
  return Buffer.concat(chunks).toString("utf8");
}

function failed(url: URL, error: unknown, { signal }: Pick<FetchPageOptions, "signal">): Error {
  const isAborted = error instanceof Error && error.name === "AbortError";
  const reason =
    isAborted || signal?.aborted === true
      ? `it did not answer within ${MAX_SECONDS} seconds`
      : "the connection failed";
  return refused(url.href, reason);
}

/** Passwords and queries of an address may be secrets: they stay out of the sentence. */
function refused(address: string, reason: string): ToolInputError {
  const url = URL.parse(address);
  const shown = url === null ? address : `${url.protocol}//${url.host}${url.pathname}`;
  return new ToolInputError(
    `Cannot fetch ${quoteValue(shown)}: ${reason}; ask for the text of the recipe instead`,
  );
}
