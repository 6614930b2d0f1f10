import ipaddr from "ipaddr.js";

/**
 * The address a request comes from: the socket's, or, where that is a trusted proxy's, the last one
 * it was forwarded for that is not itself trusted.
 */
export function clientAddress(request: {
  readonly socket: string;
  readonly forwardedFor: string | undefined;
  readonly trusted: readonly string[];
}): string {
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
