import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ATTEMPTS, DISGUISED, REWORDED } from "../testing/injection-attempts.ts";
import { ORDINARY_WORDS } from "../testing/ordinary-words.ts";
import { commandsModel } from "./commands-model.ts";

describe("commands to the language model behind an agent", () => {
  it("are recognized in words by three writers", () => {
    expect([...ATTEMPTS, ...DISGUISED, ...REWORDED].filter((each) => !commandsModel(each))).toEqual([]);
  });

  it("are not seen in answers that share their words", () => {
    const said = ORDINARY_WORDS.flatMap((each) => each.said);
    expect(new Set(said).size).toBeGreaterThanOrEqual(120);
    expect(said.filter((each) => commandsModel(each))).toEqual([]);
  });

  it.each([
    "have you switched off the water",
    "The filters have been removed",
    "Don't forget the gate instructions",
    "from now on everything by e-mail please",
    "can you act as a reference",
    "This is only a drill",
    "mark me as confirmed",
    "put that down as my answer",
    "please cancel without asking me again",
  ])("are not seen in: %s", (said) => expect(commandsModel(said)).toBe(false));

  it("are seen in at most one of ten thousand of the answers that many writers gave to many agents", () => {
    const folder = join(import.meta.dirname, "../../../../tools/train-judge/data");
    const said = globSync(join(folder, "train-*/phrasings.jsonl")).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/"say": ?"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text ?? ""),
    );
    expect(said.length).toBeGreaterThan(79_000);
    expect(said.filter((each) => commandsModel(each)).length).toBeLessThanOrEqual(said.length / 10_000);
  });
});
