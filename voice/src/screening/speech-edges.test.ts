import { describe, expect, it } from "vitest";
import { USUAL_SCREENING_SETTINGS } from "./screening-settings.ts";
import { type EdgeState, findSpeechEdge, NO_SPEECH, type SpeechEdge } from "./speech-edges.ts";

/** Windows of 20 ms: `#` is speech, anything else is not. */
function edgesIn(windows: string): readonly SpeechEdge[] {
  const edges: SpeechEdge[] = [];
  let state: EdgeState = NO_SPEECH;
  for (const [index, window] of [...windows].entries()) {
    const judged = { endMs: 20 * (index + 1), durationMs: 20, isSpeech: window === "#" };
    const [next, edge] = findSpeechEdge(state, judged, USUAL_SCREENING_SETTINGS);
    state = next;
    if (edge !== null) edges.push(edge);
  }
  return edges;
}

describe("the edges of speech", () => {
  it("speech begins where its first window began, and ends where its last one did", () => {
    expect(edgesIn("...##########..........")).toEqual([
      { type: "speech.started", startMs: 60 },
      { type: "speech.ended", endMs: 260 },
    ]);
  });

  it("a click begins nothing", () => {
    expect(edgesIn("...##...#..##....")).toEqual([]);
  });

  it("the gap inside a word ends nothing", () => {
    expect(edgesIn("####....####......")).toEqual([
      { type: "speech.started", startMs: 0 },
      { type: "speech.ended", endMs: 240 },
    ]);
  });
});
