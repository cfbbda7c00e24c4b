import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNameAddr, writeNameAddr } from "./name-addr.ts";
import { param } from "./params.ts";
import { escapeUser, parseUri, unescapeUser, writeUri } from "./uri.ts";

describe("addresses", () => {
  it.each([
    "sip:alice@atlanta.com",
    "sip:alice:secretword@atlanta.com;transport=tcp",
    "sips:alice@atlanta.com?subject=project%20x&priority=urgent",
    "sip:+1-212-555-1212:1234@gateway.com;user=phone",
    "sip:atlanta.com;method=REGISTER?to=alice%40atlanta.com",
    "sip:alice;day=tuesday@atlanta.com",
    "sip:[2001:db8::10]:5070;lr",
    "tel:+1-201-555-0123;phone-context=example.com",
    "urn:service:sos",
  ])("reads and writes %s unchanged", (text) => {
    const uri = parseUri(text);
    expect(uri === null ? null : writeUri(uri)).toBe(text);
  });

  it.each([
    "",
    "alice",
    "sip:",
    "sip:@host",
    "sip:a@",
    "sip:a@host:70000",
    "sip:a b@host",
    "sip:a@ho<st",
    "tel:abc$",
    ":x",
  ])("refuses %j", (text) => {
    expect(parseUri(text)).toBeNull();
  });

  it("writes any name of a user so that it is read back", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (name) => {
        const uri = parseUri(`sip:${escapeUser(name)}@host`);
        expect(uri).toMatchObject({ host: "host" });
        expect(unescapeUser(escapeUser(name))).toBe(name);
      }),
    );
  });

  it("leaves a lone percent sign alone", () => {
    expect(unescapeUser("100%")).toBe("100%");
    expect(unescapeUser("%zz%41")).toBe("%zzA");
  });

  it("takes parameters behind a bare address for the header's own", () => {
    const bare = parseNameAddr("sip:c@d;tag=7");
    const bracketed = parseNameAddr("<sip:c@d;tag=7>");
    expect(param(bare?.params ?? [], "tag")).toBe("7");
    expect(param(bracketed?.params ?? [], "tag")).toBeNull();
  });

  it("keeps a display name with commas, quotes and brackets", () => {
    const address = parseNameAddr('"Doe, \\"J\\" <x>" <sip:a@b>;tag=1');
    expect(address?.displayName).toBe('Doe, "J" <x>');
    expect(address === null ? "" : writeNameAddr(address)).toBe('"Doe, \\"J\\" <x>" <sip:a@b>;tag=1');
  });
});
