import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Flow, FlowNode } from "@parley/contract/flow";
import { PHRASE_NAMES } from "@parley/contract/flow-settings";
import { describe, expect, it } from "vitest";
import { compileFlow } from "./compile.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/agents.md"), "utf8");
const examples = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => JSON.parse(text) as object);

describe("the guide to agents", () => {
  it("shows nodes, tools and flows that the schema accepts", () => {
    const shown = examples.filter((example) => "type" in example || "nodes" in example);
    expect(shown.length).toBeGreaterThan(3);
    for (const example of shown) {
      const flow = "nodes" in example ? example : { nodes: [example] };
      expect(Flow.safeParse({ schemaVersion: 1, ...flow }).error).toBeUndefined();
    }
  });

  it("shows every type of node in a flow that compiles without a warning, except those of other agents' flows", () => {
    const whole = examples.filter((example) => "schemaVersion" in example).map((example) => Flow.parse(example));
    expect(whole).toHaveLength(1);
    for (const flow of whole) {
      expect(compileFlow(flow, { modelNames: ["openai/gpt-5.4-mini"] })).toMatchObject({ ok: true, warnings: [] });
      const types = FlowNode.options.map(({ shape }) => shape.type.value).filter((type) => type !== "subflow");
      for (const type of FlowNode.options) expect(guide).toContain(`\n| \`${type.shape.type.value}\` |`);
      expect(new Set(flow.nodes.map(({ type }) => type))).toEqual(new Set(types));
    }
  });

  it("names everything the agent says on its own initiative", () => {
    for (const name of PHRASE_NAMES) expect(guide).toContain(`\`${name}\``);
  });
});
