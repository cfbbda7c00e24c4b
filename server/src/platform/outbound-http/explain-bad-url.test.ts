import { describe, expect, it } from "vitest";
import { makePolicy, PUBLIC_PORTS } from "./outbound-policy.ts";
import { explainBadUrl, readTarget } from "./read-target.ts";

const strict = makePolicy({ allow: [], deny: [], ports: PUBLIC_PORTS });
const local = makePolicy({ allow: ["loopback"], deny: [], ports: PUBLIC_PORTS });

describe("a URL that is saved", () => {
  it.each([
    "https://tools.example/orders?id=1",
    "https://tools.example:8443",
    "https://93.184.216.34/hook",
    "https://[2606:2800:220:1::2]/hook",
    "https://bücher.example/",
    "https://tools.example./orders",
    "https://tools.example/{{order}}",
  ])("is fine: %s", (url) => expect(explainBadUrl(url, strict)).toBeNull());

  it.each([
    ["http://tools.example/", "The URL must begin with https://."],
    ["ftp://tools.example/", "The URL must begin with https://."],
    ["file:///etc/passwd", "The URL must begin with https://."],
    ["javascript:alert(1)", "The URL must begin with https://."],
    ["tools.example/orders", "The URL must be complete, such as https://tools.example/orders."],
    ["", "The URL must be complete, such as https://tools.example/orders."],
    ["https://", "The URL must be complete, such as https://tools.example/orders."],
    ["https://a:b@tools.example/", "The URL must not hold a name or password; send them in a header."],
    ["https://a@tools.example/", "The URL must not hold a name or password; send them in a header."],
    ["https://tools.example:25/", "The URL names port 25, on which nothing speaks HTTP."],
    ["https://tools.example:9000/", "The URL names port 9000; only 443 and 8443 may be used."],
    [`https://${"a".repeat(64)}.example/`, "The host in the URL is not a possible name."],
    ["https://tools..example/", "The host in the URL is not a possible name."],
    [`https://tools.example/${"a".repeat(2048)}`, "The URL must have at most 2048 characters."],
  ])("is explained when it can never be requested: %s", (url, sentence) => {
    expect(explainBadUrl(url, strict)).toBe(sentence);
  });

  it.each([
    " https://tools.example",
    "https://tools.example/a b",
    "https:\\\\tools.example",
    "https://to\nols.example",
    "https://tools.example/\u0000",
  ])("is rejected where a parser would silently repair it: %j", (url) =>
    expect(explainBadUrl(url, strict)).toMatch(/no spaces, line breaks/),
  );

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://0x7f.1/",
    "https://127.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127.0.0.1./",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://0/",
  ])("is rejected when it contains an internal address, in any notation: %s", (url) => {
    expect(explainBadUrl(url, strict)).toMatch(/ is not an address of the public internet\.$/);
  });

  it("may be plain http, and name any port that speaks HTTP, where the operator opened something", () => {
    expect(explainBadUrl("http://127.0.0.1:3001/tool", local)).toBeNull();
    expect(explainBadUrl("http://localhost:3001/tool", local)).toBeNull();
    expect(explainBadUrl("http://127.0.0.1:25/", local)).toBe("The URL names port 25, on which nothing speaks HTTP.");
    expect(explainBadUrl("http://10.0.0.1/", local)).toMatch(/not an address of the public internet/);
    expect(explainBadUrl("http://93.184.216.34/", local)).toMatch(/plain http reaches only what the operator opened/);
    expect(explainBadUrl("https://93.184.216.34:3001/", local)).toMatch(/only 443 and 8443 may be used/);
  });

  it("is read into host, port, authority and path as the far end must see them", () => {
    expect(readTarget("https://Tools.Example.:8443/a/../b?c=1#d", strict)).toEqual({
      isTls: true,
      host: "tools.example",
      isAddress: false,
      port: 8443,
      authority: "tools.example:8443",
      path: "/b?c=1",
    });
    expect(readTarget("https://[2606:2800:220:1:0:0:0:2]", strict)).toMatchObject({
      host: "2606:2800:220:1::2",
      isAddress: true,
      authority: "[2606:2800:220:1::2]",
      path: "/",
    });
  });
});
