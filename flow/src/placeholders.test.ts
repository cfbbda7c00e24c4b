import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillText, fillVariables, withoutPlaceholders } from "./placeholders.ts";

describe("fillVariables", () => {
  it("replaces each name with its value, as often as it is used", () => {
    const text = "Hello {{ first_name }}, {{first_name}}! Until {{day}}.";
    expect(fillVariables(text, { first_name: "Ada", day: "Monday" })).toBe("Hello Ada, Ada! Until Monday.");
  });

  it("leaves out a name without a value so that the sentence still reads well", () => {
    expect(fillVariables("Hello {{first_name}}, your visit {{when}}.", { when: " " })).toBe("Hello, your visit.");
  });

  it("speaks a value literally, even one that looks like a template or a pattern", () => {
    expect(fillVariables("{{a}}", { a: "{{b}} $& $1", b: "no" })).toBe("{{b}} $& $1");
  });

  it("does not find names that every object inherits", () => {
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

describe("fillText", () => {
  const greeting = "Hello {{first_name}}. This is a call [[for {{full_name}}]] [[about {{subject}} on {{day}}]].";

  it("keeps an optional part whose names all have a value", () => {
    expect(fillText(greeting, { full_name: "Ada Lovelace", subject: "your visit", day: "Monday" })).toBe(
      "Hello. This is a call for Ada Lovelace about your visit on Monday.",
    );
  });

  it("leaves out a part with a name that has no value, so that no preposition is left over", () => {
    expect(fillText(greeting, { subject: "your visit", day: " " })).toBe("Hello. This is a call.");
  });

  it("says what follows the bar instead, if there is one", () => {
    const text = "[[It's {{amount}}.|I don't have the exact amount.]] Is that all right?";
    expect(fillText(text, { amount: "$40" })).toBe("It's $40. Is that all right?");
    expect(fillText(text, {})).toBe("I don't have the exact amount. Is that all right?");
    expect(fillText("[[Hi {{name}}!]] Good morning.", {})).toBe("Good morning.");
  });

  it("leaves brackets without a name in them, and brackets in values, unchanged", () => {
    expect(fillText("See [[1]] and {{a}}.", { a: "[[b {{c}}]]" })).toBe("See [[1]] and [[b {{c}}]].");
  });

  it("never throws, whatever the brackets", () => {
    const brackets = fc.array(fc.constantFrom("[[", "]]", "|", "[", "]", "{{name}}", "{{x}}", " ", "a"));
    fc.assert(
      fc.property(brackets, (parts) => {
        expect(fillText(parts.join(""), { name: "Ada" })).not.toContain("{{x}}");
      }),
    );
  });
});
