import { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { fillVariables } from "@parley/flow/placeholders";
import { describe, expect, it } from "vitest";
import { SAMPLE_AGENTS } from "./sample-agents.ts";

describe.each(SAMPLE_AGENTS.map((sample) => [sample.name, sample] as const))("the sample agent %s", (_name, sample) => {
  it("has a flow that can be published", () => {
    expect(Flow.parse(sample.flow)).toEqual(sample.flow);
    expect(compileFlow(sample.flow)).toMatchObject({ ok: true });
  });

  it("names each of its variables in the description, for whoever places the call", () => {
    for (const name of sample.flow.variables) expect(sample.description).toContain(`${name} (`);
  });

  it("reads well when the call brings no variables", () => {
    const result = compileFlow(sample.flow);
    const collects = result.ok ? result.plan.collects : [];
    const collected = Object.fromEntries(collects.map((name) => [name, "Monday"]));
    for (const node of sample.flow.nodes) {
      const spoken = "text" in node ? fillVariables(node.text ?? "", collected) : "";
      expect(spoken).not.toMatch(/\s[.,?]|\s\s|^\s|\b(from|of|with|on|at|until)[.,?]/);
    }
  });
});
