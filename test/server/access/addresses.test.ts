import { expect, test } from "vitest";
import { z } from "zod";
import { addressKey, clientAddress } from "../../../server/access/client-address.ts";
import { isLoopbackAddress, isLoopbackHost } from "../../../server/access/loopback.ts";
import { assertListenAllowed } from "../../../server/access/may-listen.ts";
import { readYaml } from "../../support/read-yaml.ts";

const text = z.string();
const CASES = readYaml(
  new URL("addresses.yaml", import.meta.url),
  z.object({
    loopback: z.array(z.object({ address: text, expected: z.boolean() })),
    loopbackHosts: z.array(z.object({ host: text, expected: z.boolean() })),
    forwarded: z.array(
      z.object({
        socket: text,
        forwardedFor: text.optional(),
        trusted: z.array(text),
        address: text,
      }),
    ),
  }),
);

test.each(CASES.loopback)("isLoopbackAddress($address) is $expected", ({ address, expected }) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test.each(CASES.loopbackHosts)("isLoopbackHost($host) is $expected", ({ host, expected }) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test.each(CASES.forwarded)(
  "clientAddress() believes trusted proxies alone: %j",
  ({ address, forwardedFor, ...request }) => {
    expect(clientAddress({ ...request, forwardedFor })).toBe(address);
  },
);

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
