import { AppError } from "@parley/contract/errors";
import { describe, expect, it } from "vitest";
import { createEngineRegistry } from "./engine-registry.ts";

function refusalOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the engine registry", () => {
  const engines = createEngineRegistry();

  it("has one engine that works without any key, and it is the default", () => {
    expect(engines.requireEngine("local")).toMatchObject({ available: true, missing: [], isDefault: true });
    expect(engines.list().filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(engines.defaultName).toBe("local");
  });

  it("tells of an unknown engine which names there are", () => {
    const refusal = refusalOf(() => engines.requireEngine("constructor"));
    expect(refusal).toMatchObject({ code: "engine_unknown", status: 422, param: "engine" });
    for (const { name } of engines.list()) expect(refusal.message).toContain(name);
  });

  it.each(["openai-realtime", "gemini-live"])("says what %s lacks, and takes it in a draft all the same", (name) => {
    const refusal = refusalOf(() => engines.requireEngine(name));
    expect(refusal).toMatchObject({ code: "engine_unavailable", status: 409 });
    expect(refusal.message).toContain("no adapter");
    expect(engines.requireKnownEngine(name)).toMatchObject({ available: false, isDefault: false });
  });

  it("does not start with a default engine that cannot be used", () => {
    expect(() => createEngineRegistry(undefined, "gemini-live")).toThrow(/not available/);
  });
});
