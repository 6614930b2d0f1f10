import ipaddr from "ipaddr.js";

/** Tests for an address of this machine (`127.0.0.1`, `::1`, `::ffff:127.0.0.1`). */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/**
 * Tests for a Host header that names this machine. A page whose domain was pointed at this machine
 * (DNS rebinding) still sends its own name.
 */
export function isLoopbackHost(host: string): boolean {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}
