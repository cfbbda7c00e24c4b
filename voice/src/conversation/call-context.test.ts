import type { Flow, FlowNode } from "@parley/contract/flow";
import { toText } from "@parley/flow/expression/value";
import { namesOfFlow } from "@parley/flow/names";
import { describe, expect, it } from "vitest";
import { type ConversationFacts, knownValues } from "./call-context.ts";

const ask = (
  id: string,
  answer: Extract<FlowNode, { type: "ask" }>["answer"],
  saveAs: string,
  ...whens: string[]
): FlowNode => ({
  ...{ id, type: "ask", text: "Well?", answer, saveAs },
  exits: whens.map((when) => ({ when })),
});

const flow: Flow = {
  schemaVersion: 1,
  variables: ["first_name", "constructor"],
  nodes: [
    ask("coming", "yes_no", "coming"),
    ask("guests", "number", "guests"),
    ask("day", "date", "day"),
    ask("at", "time", "at"),
    ask("size", "choice", "size", "small", " large "),
    ask("note", "free_text", "note"),
    ask("either_day", "date", "mixed"),
    ask("either_number", "number", "mixed"),
  ],
};

const facts: ConversationFacts = {
  variables: { first_name: "Ada" },
  collected: { coming: true, guests: "7", day: "2026-03-01", at: "09:30", size: "large", mixed: 3, stranger: 1 },
  call: {
    ...{ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test" },
    startedAtMs: Date.UTC(2026, 2, 1, 3, 5),
    timeZone: "America/New_York",
  },
};

describe("the names available to an expression", () => {
  it("are the call's inputs, what the flow asks for, each with its type, and the call itself", () => {
    const types = namesOfFlow(flow).map(({ path, type }) => `${path} ${type}`);
    expect(types).toEqual([
      "variables.first_name text",
      "variables.constructor text",
      "collected.coming text",
      "collected.guests number",
      "collected.day date",
      "collected.at time",
      "collected.size text",
      "collected.note text",
      "collected.mixed text",
      "call.id text",
      "call.phoneNumber text",
      "call.from text",
      "call.mode text",
      "call.date date",
      "call.time time",
    ]);
  });

  it("include the answers that can be expected", () => {
    const valuesOf = (path: string) => namesOfFlow(flow).find((name) => name.path === path)?.values;
    expect(valuesOf("collected.coming")).toEqual({ texts: ["yes", "no"], isAll: true });
    expect(valuesOf("collected.size")).toEqual({ texts: ["small", "large"], isAll: false });
    expect(valuesOf("collected.note")).toBeNull();
    expect(valuesOf("collected.mixed")).toBeNull();
  });
});

describe("what is known in a conversation", () => {
  it("has the declared types, null for unknown values, and the callee's own day and time", () => {
    const known = knownValues(namesOfFlow(flow), facts);
    const texts = Object.fromEntries([...known].map(([path, value]) => [path, value === null ? null : toText(value)]));
    expect(texts).toEqual({
      "variables.first_name": "Ada",
      "variables.constructor": null,
      "collected.coming": "yes",
      "collected.guests": "7",
      "collected.day": "2026-03-01",
      "collected.at": "09:30",
      "collected.size": "large",
      "collected.note": null,
      "collected.mixed": "3",
      "call.id": "call_1",
      "call.phoneNumber": "+15550100001",
      "call.from": null,
      "call.mode": "test",
      "call.date": "2026-02-28",
      "call.time": "22:05",
    });
    expect(known.get("collected.guests")).toBe(7);
    expect(known.get("collected.day")).toMatchObject({ type: "date" });
  });

  it("shows midnight as 00:00", () => {
    const call = { ...facts.call, startedAtMs: Date.UTC(2026, 0, 1), timeZone: "UTC" };
    const known = knownValues(namesOfFlow(flow), { ...facts, call });
    expect(toText(known.get("call.time") ?? null)).toBe("00:00");
  });
});
