import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { Problem } from "../problems.ts";
import type { JwtSettings } from "../settings.ts";
import { isUserId } from "./user-id.ts";

/** Returns the user of a token; null for one that is rejected. */
export type ReadToken = (token: string) => Promise<string | null>;

/** Algorithms with a private key: with a shared secret, whoever verifies could also sign. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

// Not settings: the issuer decides how long a token and its keys are valid.
/** Tolerated difference between the issuer's clock and this one. */
const CLOCK_TOLERANCE_SECONDS = 30;
const FETCH_MS = 5_000;
/** Shortest time between two fetches of the keys because of an unknown one. */
const COOLDOWN_MS = 30_000;
const KEPT_MS = 10 * 60_000;

/** Longer text is rejected before it costs any decoding. */
const LONGEST_TOKEN = 8_192;

export interface TokenReaderOptions {
  /** Reads the issuer's keys. Default: `fetch`. */
  readonly fetch?: typeof fetch;
  /** Receives the reason a token was rejected, in a few words that quote nothing of it. Default: none. */
  readonly onRejected?: (reason: string) => void;
}

/**
 * Creates the reader of an issuer's tokens. The user is `sub`; `exp` is required. Keys are cached for
 * ten minutes.
 *
 * @throws Problem `keys_unavailable`, from the reader, while the issuer's keys cannot be read.
 */
export function createTokenReader(
  settings: JwtSettings,
  options: TokenReaderOptions = {},
): ReadToken {
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: FETCH_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEPT_MS,
    ...(options.fetch === undefined ? {} : { [customFetch]: options.fetch }),
  });
  const reject = (reason: string): null => {
    options.onRejected?.(reason);
    return null;
  };
  return async (token) => {
    if (token.length > LONGEST_TOKEN) return reject("it is too long");
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["sub", "exp"],
      });
      return isUserId(payload.sub) ? payload.sub : reject('its "sub" cannot be a user\'s id');
    } catch (error) {
      if (isWrongToken(error)) return reject(error.message);
      throw new Problem("keys_unavailable", {
        detail:
          "Cannot check the token: the keys of its issuer cannot be read; try again in a moment",
        headers: { "retry-after": "5" },
        cause: error,
      });
    }
  };
}

/** Tests for an error in the token itself; any other error comes from the key set. */
function isWrongToken(error: unknown): error is Error {
  return (
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    // The header names another type of key than its own key has.
    error instanceof errors.JWKInvalid
  );
}
