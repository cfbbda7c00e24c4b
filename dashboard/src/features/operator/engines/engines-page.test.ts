import type { EngineFinding } from "@parley/contract/doctor";
import { expect, test } from "vitest";
import { replyInWords } from "./engines-page.tsx";

const finding = (part: EngineFinding["part"], firstResultMs: number | null): EngineFinding => ({
  part,
  name: `${part} ${firstResultMs}`,
  firstResultMs,
  verdict: "ok",
  finding: "It works.",
});

test("the delay of a reply is the sum of the first choices, without their fallbacks", () => {
  const findings = [
    finding("recognition", 210),
    finding("recognition", 900),
    finding("model", 480),
    finding("synthesis", 190),
    finding("synthesis", null),
  ];
  expect(replyInWords({ findings })).toContain("0.9 s");
});

test("no delay is claimed if a first choice was not measured", () => {
  expect(replyInWords({ findings: [finding("recognition", null), finding("synthesis", 190)] })).toBe("");
  expect(replyInWords({ findings: [] })).toBe("");
});

test("of an engine with a part on this machine, the vendors' share of the delay is said as such", () => {
  const local: EngineFinding = { ...finding("synthesis", null), name: "local", verdict: "skipped" };
  const findings = [finding("recognition", 210), finding("model", 480), local];
  expect(replyInWords({ findings })).toContain("vendors take 0.7 s");
  expect(replyInWords({ findings: [finding("recognition", null), finding("model", 480), local] })).toBe("");
  expect(replyInWords({ findings: [{ ...local, part: "recognition" }, local] })).toBe("");
});
