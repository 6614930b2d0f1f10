import type { Authenticate } from "../parts.ts";
import type { AccessSettings } from "../settings.ts";
import { createTokenReader, type TokenReaderOptions } from "./jwt.ts";

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
  const findKeyOwner = access.apiKeys ? options.findKeyOwner : rejectEveryone;
  const readToken = access.jwt === null ? rejectEveryone : createTokenReader(access.jwt, options);
  return async (request) => {
    const credential = readCredential(request);
    if (credential === null) return null;
    if (KEY.test(credential)) {
      const owner = await findKeyOwner(credential);
      return owner === null ? null : { ...owner, via: "api-key" };
    }
    const userId = await readToken(credential);
    return userId === null ? null : { userId, via: "jwt" };
  };
}

async function rejectEveryone(): Promise<null> {
  return null;
}

/** Form of a key: text of any other form is not looked up. */
const KEY = /^cg_[\w-]{43}$/;
/** Form of a token, which no key has. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads the key or token of a request. LangGraph's SDK sends a key from its environment as `x-api-key`: keys of another form are ignored. */
function readCredential(request: { header(name: string): string | undefined }): string | null {
  const key = request.header("x-api-key")?.trim() ?? "";
  if (KEY.test(key)) return key;
  const bearer = /^bearer +(\S+) *$/i.exec(request.header("authorization") ?? "")?.[1] ?? "";
  return KEY.test(bearer) || TOKEN.test(bearer) ? bearer : null;
}
