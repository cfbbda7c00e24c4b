import type { TranscriptItem } from "@parley/contract/transcripts";
import { expect, it } from "vitest";
import { pathOf } from "./path-of.ts";

const node = (nodeId: string): TranscriptItem => ({ type: "node", nodeId, startMs: 0 });

it("is the nodes in their order, with a question that was asked again counted once", () => {
  const note: TranscriptItem = { type: "note", text: "Rang", startMs: 0 };
  expect(pathOf([node("start"), node("ask"), note, node("ask"), node("say"), node("ask")])).toEqual([
    "start",
    "ask",
    "say",
    "ask",
  ]);
  expect(pathOf([])).toEqual([]);
});
