import ipaddr from "ipaddr.js";

/** The addresses that a request names. */
interface ForwardedRequest {
  readonly socket: string;
  /** The `X-Forwarded-For` header. */
  readonly forwardedFor: string | undefined;
  /** Trusted proxies: addresses or networks. */
  readonly trusted: readonly string[];
}

/**
 * Returns the address a request comes from: the socket's or, if that belongs to a trusted proxy, the
 * last forwarded address that is not itself trusted.
 */
export function clientAddress(request: ForwardedRequest): string {
  const hops = (request.forwardedFor ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  let address = request.socket;
  while (isTrusted(address, request.trusted)) {
    const before = hops.pop();
    if (before === undefined || !ipaddr.isValid(before)) break;
    address = before;
  }
  return address;
}

/** Returns the key that an address is counted under: an IPv6 network of 64 bits is one client. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return network.map((byte) => byte.toString(16)).join(":");
}

function isTrusted(address: string, trusted: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trusted.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network.includes("/") ? network : asNetwork(network));
    return parsed.kind() === base.kind() && parsed.match([base, bits]);
  });
}

function asNetwork(address: string): string {
  return `${address}/${ipaddr.parse(address).kind() === "ipv4" ? 32 : 128}`;
}
