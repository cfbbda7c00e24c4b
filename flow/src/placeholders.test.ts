import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillVariables, withoutPlaceholders } from "./placeholders.ts";

describe("fillVariables", () => {
  it("puts each value in the place of its name, as often as it is used", () => {
    const text = "Hello {{ first_name }}, {{first_name}}! Until {{day}}.";
    expect(fillVariables(text, { first_name: "Ada", day: "Monday" })).toBe("Hello Ada, Ada! Until Monday.");
  });

  it("leaves out a name without a value so that the sentence still reads well", () => {
    expect(fillVariables("Hello {{first_name}}, your visit {{when}}.", { when: " " })).toBe("Hello, your visit.");
  });

  it("speaks a value as it is, even one that looks like a template or a pattern", () => {
    expect(fillVariables("{{a}}", { a: "{{b}} $& $1", b: "no" })).toBe("{{b}} $& $1");
  });

  it("does not find names that every object has", () => {
    expect(fillVariables("Hi {{constructor}}{{__proto__}}.", {})).toBe("Hi.");
  });

  it("never throws, and leaves no placeholder behind in a text that can be published", () => {
    const braces = fc.array(fc.constantFrom("{{", "}}", "{", "}", "name", " ", "x")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.string(), braces), (text) => {
        const filled = fillVariables(text, { name: "Ada" });
        // Braces around a placeholder, as in {{{{}}name}}, are refused when the flow is compiled.
        if (!/\{\{|\}\}/.test(withoutPlaceholders(text))) expect(filled).not.toMatch(/\{\{\s*name\s*\}\}/);
      }),
    );
  });
});
