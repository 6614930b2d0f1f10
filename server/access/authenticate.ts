import type { Authenticate, Caller } from "../parts.ts";
import type { AccessSettings } from "../settings.ts";
import { createTokenReader, type ReadToken, type TokenReaderOptions } from "./jwt.ts";

/** The user of every caller while authentication is off: the same as the terminal's. */
export const LOOPBACK_USER = "demo";

/** The user that a key belongs to, and the key's id. */
export interface KeyOwner {
  readonly userId: string;
  readonly keyId: string;
}

/** Returns the owner of a key; null for a key that is unknown, expired or revoked. */
export type FindKeyOwner = (key: string) => Promise<KeyOwner | null>;

export interface AuthenticateOptions extends TokenReaderOptions {
  readonly findKeyOwner: FindKeyOwner;
}

/**
 * Creates the function that identifies callers: by an API key (`x-api-key: cg_…` or `authorization:
 * Bearer cg_…`) or a token (`authorization: Bearer …`). With access `off` everyone is the demo user.
 */
export function createAuthenticate(
  access: AccessSettings,
  options: AuthenticateOptions,
): Authenticate {
  if (access.kind === "off") {
    return async () => ({ userId: LOOPBACK_USER, via: "loopback" });
  }
  const readers: Readers = {
    findKeyOwner: access.apiKeys ? options.findKeyOwner : rejectEveryone,
    readToken: access.jwt === null ? rejectEveryone : createTokenReader(access.jwt, options),
  };
  return async (request) => {
    const credential = readCredential(request);
    if (credential === null) return null;
    return identifyCaller(credential, readers);
  };
}

interface Readers {
  readonly findKeyOwner: FindKeyOwner;
  readonly readToken: ReadToken;
}

async function rejectEveryone(): Promise<null> {
  return null;
}

async function identifyCaller(
  credential: Credential,
  { findKeyOwner, readToken }: Readers,
): Promise<Caller | null> {
  switch (credential.kind) {
    case "api-key": {
      const owner = await findKeyOwner(credential.key);
      return owner === null ? null : { ...owner, via: "api-key" };
    }
    case "token": {
      const userId = await readToken(credential.token);
      return userId === null ? null : { userId, via: "jwt" };
    }
    default:
      return credential satisfies never;
  }
}

type Credential =
  | { readonly kind: "api-key"; readonly key: string }
  | { readonly kind: "token"; readonly token: string };

/** Form of a key: text of any other form is not looked up. */
const KEY = /^cg_[\w-]{43}$/;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads the key or token of a request. LangGraph's SDK sends a key from its environment as `x-api-key`: keys of another form are ignored. */
function readCredential(request: { header(name: string): string | undefined }): Credential | null {
  const key = request.header("x-api-key")?.trim() ?? "";
  if (KEY.test(key)) return { kind: "api-key", key };
  const bearer = /^bearer +(\S+) *$/i.exec(request.header("authorization") ?? "")?.[1] ?? "";
  if (KEY.test(bearer)) return { kind: "api-key", key: bearer };
  return TOKEN.test(bearer) ? { kind: "token", token: bearer } : null;
}
