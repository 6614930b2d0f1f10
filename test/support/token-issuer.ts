import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import type { JwtSettings } from "../../server/settings.ts";

/** An issuer of tokens whose keys are fetched without a network. */
export interface TokenIssuer {
  readonly settings: JwtSettings;
  /** Answers for where its keys are published. */
  readonly fetch: typeof fetch;
  /** Number of times that the keys were fetched. */
  fetches(): number;
  /** While it is down, keys cannot be fetched. */
  setDown(isDown: boolean): void;
  /** A valid token of a user, with some claims replaced (undefined leaves one out). */
  sign(userId: string, claims?: JWTPayload): Promise<string>;
  readonly publicKey: Awaited<ReturnType<typeof generateKeyPair>>["publicKey"];
}

/** Makes an issuer with a key pair of its own. */
export async function createTokenIssuer(kid = "key-1"): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" };
  const settings = {
    jwksUrl: "https://issuer.example/keys",
    issuer: "https://issuer.example/",
    audience: "concierge",
  };
  let fetches = 0;
  let isDown = false;
  return {
    settings,
    publicKey,
    fetches: () => fetches,
    setDown: (down) => void (isDown = down),
    fetch: async () => {
      fetches += 1;
      if (isDown) throw new TypeError("fetch failed");
      return Response.json({ keys: [jwk] });
    },
    async sign(userId, claims = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const { issuer: iss, audience: aud } = settings;
      const payload = { iss, aud, sub: userId, iat: now, exp: now + 300, ...claims };
      return new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
    },
  };
}
