import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEngineSettings } from "./engine-settings.ts";

const read = (text: string, folder = "/") =>
  readEngineSettings({ PARLEY_ENGINES: text, PARLEY_LOCAL_FALLBACK: "off" }, folder);

test("engines of the operator's own are read from JSON or from a file", () => {
  const json = JSON.stringify([
    { name: "desk", recognition: ["local"], model: ["openai/gpt-x"], synthesis: ["local"] },
  ]);
  const folder = mkdtempSync(join(tmpdir(), "engines-"));
  try {
    writeFileSync(join(folder, "engines.json"), json);
    for (const { settings, mistakes } of [read(json), read("engines.json", folder)]) {
      expect(mistakes).toEqual([]);
      expect(settings).toMatchObject({ hasLocalFallback: false, own: [{ name: "desk", models: ["openai/gpt-x"] }] });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every mistake in them is reported, with its place", () => {
  const bad = (...recipes: unknown[]) => read(JSON.stringify(recipes)).mistakes.join("\n");
  const fine = { name: "desk", recognition: ["local"], synthesis: ["local"] };
  expect(read("[{").mistakes.join()).toContain("not valid JSON");
  expect(read("nowhere.json").mistakes.join()).toContain("/nowhere.json");
  expect(bad({ ...fine, name: "My Desk" })).toMatch(/\[0\]\.name: must be lower-case/);
  expect(bad({ ...fine, ears: [] })).toMatch(/\[0\]: .*ears/);
  expect(bad({ ...fine, speech: ["openai-realtime"] })).toMatch(/\[0\]: .*recognition/);
  expect(bad({ ...fine, name: "local" })).toContain("belongs to the engine of this machine");
  expect(bad(fine, fine)).toContain("two engines named desk");
  expect(bad({ ...fine, recognition: ["anthropic"], model: ["nobody"] })).toMatch(
    /desk\.recognition\[0\]: there is no such provider as anthropic.*\n.*desk\.model\[0\]: there is no such provider as nobody/,
  );
});
