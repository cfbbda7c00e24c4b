import { expect, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { addressBlock, signInLimits } from "./limit-attempts.ts";

test("all addresses of one IPv6 customer count as one, and IPv4 inside IPv6 as IPv4", () => {
  expect(addressBlock("2001:db8:1:2:aaaa::1")).toBe(addressBlock("2001:db8:1:2:bbbb::9"));
  expect(addressBlock("2001:db8:1:2::1")).not.toBe(addressBlock("2001:db8:1:3::1"));
  expect(addressBlock("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(addressBlock("fe80::1%eth0")).toBe("fe80::/64");
  expect(addressBlock("unknown")).toBe("unknown");
});

test("counters do not store the typed e-mail, because it may be a password", () => {
  const limits = signInLimits(deriveSecrets("x".repeat(32)), "my-secret-password", "192.0.2.1");
  expect(JSON.stringify(limits)).not.toContain("my-secret-password");
});
