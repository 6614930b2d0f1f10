import ipaddr from "ipaddr.js";

/** Whether an address (`127.0.0.1`, `::1`, `::ffff:127.0.0.1`) is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/**
 * Whether a Host header names this machine. A page whose name was made to point here (DNS
 * rebinding) still sends its own.
 */
export function isLoopbackHost(host: string): boolean {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}
