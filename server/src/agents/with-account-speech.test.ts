import { Flow } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { withAccountSpeech } from "./with-account-speech.ts";

const flowWith = (settings?: object): Flow =>
  Flow.parse({
    schemaVersion: 1,
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end", text: "Goodbye." },
    ],
    ...(settings ? { settings } : {}),
  });

const withDisclosure = (flow: Flow, disclosure: string | null) =>
  withAccountSpeech(flow, { disclosure, pronunciations: [] });

test("an agent without its own text uses the account's, and keeps its other settings", () => {
  expect(withDisclosure(flowWith(), "A machine calls.").settings).toEqual({ disclosure: "A machine calls." });
  expect(withDisclosure(flowWith({ voice: "af_heart" }), "A machine calls.").settings).toEqual({
    voice: "af_heart",
    disclosure: "A machine calls.",
  });
});

test("an agent with its own text, or explicitly none, is unchanged", () => {
  for (const disclosure of ["I am a robot.", null]) {
    const flow = flowWith({ disclosure });
    expect(withDisclosure(flow, "A machine calls.")).toBe(flow);
  }
  const open = flowWith();
  expect(withDisclosure(open, null)).toBe(open);
});

test("an agent says words as the account lists them, unless it lists them itself", () => {
  const ofAccount = [
    { written: "Siobhan", spoken: "/ʃɪˈvɔn/" },
    { written: "Acme", spoken: "ack me" },
  ];
  const speech = { disclosure: null, pronunciations: ofAccount };
  expect(withAccountSpeech(flowWith(), speech).settings).toEqual({ pronunciations: ofAccount });
  const own = { written: "ACME", spoken: "ak-mee" };
  expect(withAccountSpeech(flowWith({ pronunciations: [own] }), speech).settings?.pronunciations).toEqual([
    own,
    ofAccount[0],
  ]);
});
