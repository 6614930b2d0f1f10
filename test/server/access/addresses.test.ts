import { expect, test } from "vitest";
import { addressKey, clientAddress } from "../../../server/access/client-address.ts";
import { isLoopbackAddress, isLoopbackHost } from "../../../server/access/loopback.ts";
import { assertListenAllowed } from "../../../server/access/may-listen.ts";

test.each([
  ["127.0.0.1", true],
  ["127.9.8.7", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["localhost", false],
  ["", false],
])("isLoopbackAddress(%j) is %j", (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test.each([
  ["localhost", true],
  ["localhost:2024", true],
  ["LOCALHOST:1", true],
  ["app.localhost", true],
  ["127.0.0.1:2024", true],
  ["[::1]:2024", true],
  ["[::1]", true],
  ["evil.example", false],
  ["localhost.evil.example", false],
  ["evillocalhost", false],
  ["127.0.0.1.evil.example", false],
  ["evil.example:127", false],
  ["user@localhost", false],
  ["localhost/x", false],
  ["10.0.0.1", false],
  ["", false],
])("isLoopbackHost(%j) is %j", (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test.each([
  { socket: "8.8.8.8", forwardedFor: "1.1.1.1", trusted: [], address: "8.8.8.8" },
  { socket: "10.0.0.5", forwardedFor: "1.1.1.1", trusted: ["10.0.0.0/8"], address: "1.1.1.1" },
  { socket: "10.0.0.5", forwardedFor: undefined, trusted: ["10.0.0.5"], address: "10.0.0.5" },
  {
    // The client made the first one up.
    socket: "10.0.0.5",
    forwardedFor: "9.9.9.9, 1.1.1.1, 10.0.0.7",
    trusted: ["10.0.0.0/8"],
    address: "1.1.1.1",
  },
  { socket: "10.0.0.5", forwardedFor: "nonsense", trusted: ["10.0.0.5"], address: "10.0.0.5" },
  {
    socket: "::ffff:10.0.0.5",
    forwardedFor: "2001:db8::1",
    trusted: ["10.0.0.5"],
    address: "2001:db8::1",
  },
  { socket: "fd00::1", forwardedFor: "1.1.1.1", trusted: ["fd00::/8"], address: "1.1.1.1" },
])("clientAddress() believes trusted proxies alone: %j", ({ address, ...request }) => {
  expect(clientAddress(request)).toBe(address);
});

test("addressKey() counts an IPv6 network as one client, and an IPv4 address as itself", () => {
  expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe(addressKey("2001:db8:1:2:ffff::1"));
  expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"));
  expect(addressKey("::ffff:1.2.3.4")).toBe(addressKey("1.2.3.4"));
  expect(addressKey("1.2.3.4")).not.toBe(addressKey("1.2.3.5"));
});

test("assertMayListen() lets nobody in from elsewhere without authentication", () => {
  const on = { kind: "on", apiKeys: true, jwt: null } as const;

  for (const host of ["127.0.0.1", "::1", "localhost"]) {
    expect(() => assertListenAllowed({ kind: "off" }, host)).not.toThrow();
  }
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "example.com", ""]) {
    expect(() => assertListenAllowed({ kind: "off" }, host)).toThrow(
      /^Cannot listen on .*CONCIERGE_AUTH/,
    );
    expect(() => assertListenAllowed(on, host)).not.toThrow();
  }
});
