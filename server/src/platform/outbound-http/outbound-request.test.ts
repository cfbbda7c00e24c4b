import { describe, expect, it } from "vitest";
import { OutboundFailure } from "./outbound-failure.ts";
import { checkRequest, explainBadHeader, isRepeatable } from "./outbound-request.ts";

const url = "https://tools.test/";

function codeOf(check: () => unknown): string {
  try {
    check();
    return "fine";
  } catch (error) {
    if (error instanceof OutboundFailure) return error.code;
    throw error;
  }
}

describe("a header of a customer", () => {
  it.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "CONNECTION",
    "Upgrade",
    "Expect",
    "TE",
    "Proxy-Authorization",
  ])("that decides about the message itself cannot be set: %s", (name) =>
    expect(explainBadHeader(name, "x")).toBe(`The header ${name} cannot be set; it is written for you.`),
  );

  it("cannot smuggle another line into the request", () => {
    expect(explainBadHeader("X-Note", "a\r\nHost: inside")).toMatch(/characters that no header may have/);
    expect(explainBadHeader("X\r\nHost", "a")).toMatch(/letters, digits and hyphens/);
    expect(explainBadHeader("", "a")).toMatch(/letters, digits and hyphens/);
  });

  it("of a common kind is accepted", () => {
    expect(explainBadHeader("Authorization", "Bearer abc")).toBeNull();
    expect(explainBadHeader("X-Tenant", "Zürich")).toBeNull();
  });
});

describe("a request", () => {
  it("is refused before anything is sent when it is too large or has a body it cannot have", () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`X-${index}`, "a"]));
    expect(codeOf(() => checkRequest({ method: "POST", url, body: "x".repeat(11) }, 10))).toBe("too_large");
    expect(codeOf(() => checkRequest({ method: "POST", url, body: "ü".repeat(5) }, 10))).toBe("fine");
    expect(codeOf(() => checkRequest({ method: "POST", url, body: "ü".repeat(6) }, 10))).toBe("too_large");
    expect(codeOf(() => checkRequest({ method: "GET", url, headers: many }, 10))).toBe("too_large");
    expect(codeOf(() => checkRequest({ method: "GET", url, headers: { a: "x".repeat(16_384) } }, 10))).toBe(
      "too_large",
    );
    expect(codeOf(() => checkRequest({ method: "GET", url, body: "x" }, 10))).toBe("bad_request");
    expect(codeOf(() => checkRequest({ method: "GET", url, headers: { Host: "inside" } }, 10))).toBe("bad_request");
  });

  it("may be repeated by its method, or because its sender allows it", () => {
    expect(isRepeatable({ method: "GET", url })).toBe(true);
    expect(isRepeatable({ method: "PUT", url })).toBe(true);
    expect(isRepeatable({ method: "POST", url })).toBe(false);
    expect(isRepeatable({ method: "POST", url, repeatable: true })).toBe(true);
  });
});
