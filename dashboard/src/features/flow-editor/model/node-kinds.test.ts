import { expect, it } from "vitest";
import { summaryOf } from "./node-kinds.ts";

it("summarizes a spoken text by its words, without markup", () => {
  const text = 'Hello <break time="300ms"/> <emphasis>Ada</emphasis>.';
  expect(summaryOf({ id: "hello", type: "say", text, next: "bye" })).toBe("Hello Ada.");
  expect(summaryOf({ id: "bye", type: "end", text })).toBe("Hello Ada.");
  expect(summaryOf({ id: "bye", type: "end" })).toBe("Hangs up");
});
