import { describe, expect, test } from "vitest";
import { isHost, isIpAddress, isProxyUri } from "./network-fields.ts";

describe("a host", () => {
  test.each([
    "sip.example.com",
    "localhost",
    "a",
    "pbx_1.internal",
    "xn--bcher-kva.example",
    "192.0.2.1",
    "2001:db8::1",
    "1.2.3.4.example",
  ])("%s is one", (text) => expect(isHost(text)).toBe(true));
  test.each([
    "",
    " ",
    "sip:example.com",
    "example.com:5060",
    "example.com.",
    ".example.com",
    "a..b",
    "-a.example",
    "a-.example",
    "192.0.2.256",
    "1.2.3",
    "[2001:db8::1]",
    "bücher.example",
    "a b",
    "a\nb",
    "user@example.com",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(127)}b`,
  ])("%j is none", (text) => expect(isHost(text)).toBe(false));
});

test("an address is not a name, and a name is not an address", () => {
  expect(["192.0.2.1", "::1", "2001:db8::1"].every(isIpAddress)).toBe(true);
  expect(["localhost", "example.com", "192.0.2", "::g", ""].some(isIpAddress)).toBe(false);
});

describe("the address of a proxy", () => {
  test.each([
    "sip:proxy.example.com",
    "sips:proxy.example.com",
    "SIP:proxy.example.com:5060",
    "sip:192.0.2.1:5080;transport=tcp",
    "sip:[2001:db8::1]:5060;transport=udp;lr",
    "sip:proxy.example.com;lr;x=y",
  ])("%s is one", (text) => expect(isProxyUri(text)).toBe(true));
  test.each([
    "",
    "proxy.example.com",
    "sip:",
    "sip://proxy.example.com",
    "http:proxy.example.com",
    "<sip:proxy.example.com>",
    "sip:you@proxy.example.com",
    "sip:proxy.example.com:0",
    "sip:proxy.example.com:65536",
    "sip:proxy.example.com;transport=ws",
    "sip:proxy.example.com;transport",
    "sip:proxy.example.com?Subject=x",
    "sip:proxy.example.com;lr\r\nVia: x",
    "sip:2001:db8::1",
    "sip:[example.com]",
  ])("%j is none", (text) => expect(isProxyUri(text)).toBe(false));
});
