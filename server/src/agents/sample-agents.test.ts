import { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { fillText, placeholderNames } from "@parley/flow/placeholders";
import { textsOfFlow } from "@parley/flow/texts";
import { describe, expect, it } from "vitest";
import { SAMPLE_AGENTS } from "./sample-agents.ts";

describe.each(SAMPLE_AGENTS.map((sample) => [sample.name, sample] as const))("the sample agent %s", (_name, sample) => {
  it("has a flow that can be published", () => {
    expect(Flow.parse(sample.flow)).toEqual(sample.flow);
    expect(compileFlow(sample.flow)).toMatchObject({ ok: true });
  });

  it("has exits that can be distinguished by their words", () => {
    const codes = compileFlow(sample.flow).warnings.map(({ code }) => code);
    expect(codes).not.toContain("indistinct_exits");
    expect(codes).not.toContain("vague_exit");
  });

  it("names each of its variables in the description, for the client that places the call", () => {
    for (const name of sample.flow.variables) expect(sample.description).toContain(`${name} (`);
  });

  it("reads well with any variables of the call", () => {
    const result = compileFlow(sample.flow);
    const collects = result.ok ? result.plan.collects : [];
    const collected = Object.fromEntries(collects.map((name) => [name, "Monday"]));
    for (const { text, isSpoken, alsoNames } of textsOfFlow(sample.flow)) {
      if (!isSpoken) continue;
      const names = [...new Set(placeholderNames(text))].filter((name) => sample.flow.variables.includes(name));
      const extra = Object.fromEntries(alsoNames.map((name) => [name, "this"]));
      for (const given of subsetsOf(names)) {
        const brought = Object.fromEntries(given.map((name) => [name, "Ada"]));
        const spoken = fillText(text, { ...collected, ...extra, ...brought });
        expect(spoken).not.toMatch(/[[\]{}|]/);
        expect(spoken).toMatch(/^[A-Z].*[.?]$/);
        if (names.length === 0) continue;
        expect(spoken).not.toMatch(/\s[.,?]|\s\s|\b(from|of|with|on|at|until|for|about|by|to|the|coming|is)[.,?]/);
      }
    }
  });
});

function subsetsOf(names: readonly string[]): string[][] {
  const [first, ...rest] = names;
  if (first === undefined) return [[]];
  const without = subsetsOf(rest);
  return [...without, ...without.map((subset) => [first, ...subset])];
}
