import { levelDbfsOf } from "@parley/audio/level";
import { afterAll, expect, test } from "vitest";
import { openCalleeVoice } from "./callee-speech.ts";

const voice = openCalleeVoice();
afterAll(() => voice.close());

test("callees have their own voices: people, machines, and those requested by a plan", async () => {
  const spoken = await Promise.all(["human", "machine", "awb", "nobody"].map((name) => voice.render("Hello?", name)));
  for (const samples of spoken) {
    expect(samples.length).toBeGreaterThan(1_000);
    expect(levelDbfsOf(samples)).toBeGreaterThan(-45);
  }
  const [human, machine, asked, unknown] = spoken.map((samples) => Buffer.from(samples.buffer).toString("base64"));
  expect(new Set([human, machine, asked]).size).toBe(3);
  expect(unknown).toBe(human);
});

test("a repeated line is the same audio, and the caller's own copy of it", async () => {
  const [first, second] = [await voice.render("Goodbye.", "human"), await voice.render("Goodbye.", "human")];
  expect(second).toEqual(first);
  first.fill(0);
  expect((await voice.render("Goodbye.", "human")).some((sample) => sample !== 0)).toBe(true);
});

test("a callee keeps one voice for the call: if one line must be rendered, all are in that voice", async () => {
  const rendered = voice.cast?.(["Hello?", "Yes, I will come."], "human") ?? "";
  expect(rendered).not.toBe("human");
  expect(voice.cast?.(["Hello?", "Nobody ever says this."], "human")).toBe("human");
  expect(voice.cast?.(["Hello?"], "awb")).toBe("awb");
  expect(await voice.render("Hello?", rendered)).not.toEqual(await voice.render("Hello?", "human"));
}, 30_000);
