import type { Agent } from "@parley/sdk";
import { describe, expect, it } from "vitest";
import { digestOf, fileNameOf, readAgentFile, writeAgentFile } from "./agent-file.ts";

const AGENT = {
  ...{ id: "agt_1", revision: 4, name: "Reminder", description: "", engine: null, language: "en-US" },
  flow: {
    schemaVersion: 1,
    variables: ["name"],
    nodes: [
      { position: { x: 1, y: 2 }, next: "hi", type: "start", id: "start" },
      { text: "Hello {{name}}.\nHow are you?", id: "hi", type: "end" },
    ],
  },
} as unknown as Agent;

describe("a file of an agent", () => {
  it("reads as people write it, in an order that does not depend on the service", () => {
    const text = writeAgentFile(AGENT, "a.agent.yaml");
    expect(text).toBe(`# yaml-language-server: $schema=./agent.schema.json

id: agt_1
revision: 4
pulled: ${digestOf(AGENT)}
name: Reminder
description: ""
engine: null
language: en-US
flow:
  schemaVersion: 1
  variables: [ name ]
  nodes:
  - id: start
    type: start
    next: hi
    position: { x: 1, y: 2 }
  - id: hi
    type: end
    text: |-
      Hello {{name}}.
      How are you?
`);
    const { flow, ...rest } = AGENT;
    expect(writeAgentFile({ flow, ...rest } as Agent, "a.agent.yaml")).toBe(text);
  });

  it.each(["a.agent.yaml", "a.agent.json"])("is read back as it was written (%s)", (path) => {
    const { id, revision, changes, isChanged } = readAgentFile(writeAgentFile(AGENT, path), path);
    expect({ id, revision, ...changes }).toEqual(AGENT);
    expect(isChanged).toBe(false);
  });

  it("tells whether it was changed since, but for its layout", () => {
    const text = writeAgentFile(AGENT, "a.agent.yaml");
    const isChanged = (changed: string) => readAgentFile(changed, "a.agent.yaml").isChanged;
    expect(isChanged(text.replace("How are you?", "How do you do?"))).toBe(true);
    expect(isChanged(text.replace("language: en-US\n", ""))).toBe(true);
    expect(isChanged(text.replace(/^pulled: .*\n/m, ""))).toBe(true);
    expect(isChanged(text.replace("{ x: 1, y: 2 }", "{x: 1,  y: 2}"))).toBe(false);
  });

  it("of JSON names its schema for editors", () => {
    expect(JSON.parse(writeAgentFile(AGENT, "a.agent.json"))).toMatchObject({ $schema: "./agent.schema.json" });
  });

  it("needs no id before it is pushed, and refuses what is no agent", () => {
    expect(readAgentFile("name: A\nflow: {schemaVersion: 1, nodes: []}", "a.yaml").id).toBeNull();
    for (const text of ["", "- 1", "name: A", "name: A\nflow: {}", "name: A\nname: B\nflow: {nodes: []}"]) {
      expect(() => readAgentFile(text, "a.yaml")).toThrow(/^a\.yaml/);
    }
  });

  it("has a name that fits every system, and its own", () => {
    expect(fileNameOf("Café: réserver / table", "agt_abcdef123456", new Set())).toBe("cafe-reserver-table.agent.yaml");
    expect(fileNameOf("予約", "agt_abcdef123456", new Set())).toBe("agent.agent.yaml");
    expect(fileNameOf("A", "agt_abcdef123456", new Set(["a.agent.yaml"]))).toBe("a-123456.agent.yaml");
  });
});
