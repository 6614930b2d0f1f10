/** Limits on clients. Each process counts for itself. */
export interface ServerLimits {
  /** Requests of one caller, or of one address without a valid key or token. */
  readonly requestsPerMinute: number;
  /** Runs that one caller starts. */
  readonly runsPerMinute: number;
  readonly bodyBytes: number;
  /** Time until the whole body has arrived. */
  readonly bodySeconds: number;
  readonly headerBytes: number;
  /** Time until all headers have arrived. */
  readonly headersSeconds: number;
  /**
   * Time until an idle connection is closed. Longer than the 60 seconds of most proxies, so that the
   * proxy closes it: a request fails if its connection is being closed by the server.
   */
  readonly keepAliveSeconds: number;
  /** Time until a client that does not read is dropped. */
  readonly stalledSeconds: number;
  readonly connections: number;
  /** Streams and waits that one caller has open at once. */
  readonly streamsPerCaller: number;
  /** Bytes of a stream that wait for its client. */
  readonly streamBufferBytes: number;
  /** Time between two heartbeats of a stream: shorter than the read timeout of proxies. */
  readonly heartbeatSeconds: number;
  /** Time that open requests have when the server stops. */
  readonly graceSeconds: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  requestsPerMinute: 1_200,
  runsPerMinute: 120,
  bodyBytes: 1_048_576,
  bodySeconds: 10,
  headerBytes: 16_384,
  headersSeconds: 10,
  keepAliveSeconds: 75,
  stalledSeconds: 60,
  connections: 2_000,
  streamsPerCaller: 100,
  streamBufferBytes: 65_536,
  heartbeatSeconds: 15,
  graceSeconds: 10,
};

/** The issuer whose tokens are accepted. */
export interface JwtSettings {
  /** The address at which the issuer publishes its keys. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
}

/** The way callers authenticate. `off`: everybody is the same user, on this machine only. */
export type AccessSettings =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly apiKeys: boolean; readonly jwt: JwtSettings | null };

/** The configuration of the server. */
export interface ServerSettings {
  /** Version of the program. */
  readonly version: string;
  readonly access: AccessSettings;
  /** The pages that may call from a browser, as `https://example.com`. */
  readonly origins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted: addresses or networks (`10.0.0.0/8`). */
  readonly trustedProxies: readonly string[];
  readonly limits: ServerLimits;
}
