import type { TranscriptItem } from "@parley/contract/transcripts";
import { describe, expect, test } from "vitest";
import { type Course, compareWithQuiet, describeDeviations } from "./understanding.ts";

type Decision = Extract<TranscriptItem, { type: "decision" }>;

const decision = (taken: Decision["taken"]): TranscriptItem => ({
  ...({
    type: "decision",
    turn: 1,
    nodeId: "ask",
    taken,
    result: null,
    evidence: null,
    score: null,
    startMs: 0,
  } as const),
});

function prompt(): TranscriptItem {
  const spoken = { turn: 2, text: "Are you there?", revisedText: null, heardText: "Are you there?" };
  return {
    ...({ type: "speech", role: "agent", ...spoken, interrupted: false, startMs: 0, endMs: 9, words: [] } as const),
    timing: null,
  };
}

function course(
  changes: Partial<Course["call"]> = {},
  items: readonly TranscriptItem[] = [decision("answer")],
): Course {
  return {
    call: { endReason: "agent_hangup", analysis: null, incidents: [], ...changes },
    items,
  };
}

const quiet = [course(), course({}, [decision("not_understood"), decision("answer")])];
const compare = (loaded: Course) => compareWithQuiet(quiet, [loaded])[0];

describe("a call under load", () => {
  test("that goes like one of the quiet calls was understood", () => {
    expect(compare(course())).toEqual({ isDeaf: false, deviations: [] });
    expect(compare(quiet[1] as Course)).toEqual({ isDeaf: false, deviations: [] });
  });

  test("whose callee hung up unheard was not, even without an incident", () => {
    const heard = compare(course({ endReason: "callee_hangup" }, []));
    expect(heard).toEqual({ isDeaf: true, deviations: ["ended: callee_hangup", "never understood"] });
  });

  test("with another outcome was not", () => {
    const outcome = "not_understood";
    const analysis = {
      status: "ready",
      summary: null,
      outcome,
      success: null,
      fields: {},
      labels: [],
      by: null,
      model: null,
    };
    expect(compare(course({ analysis } as Partial<Course["call"]>))?.deviations).toEqual(["outcome: not_understood"]);
  });

  test("in which the agent asked more often, about words or silence, was not", () => {
    const twice = course({}, [decision("not_understood"), decision("not_understood"), decision("answer")]);
    expect(compare(twice)).toEqual({ isDeaf: true, deviations: ["asked again"] });
    expect(compare(course({}, [prompt(), prompt(), decision("answer")]))?.deviations).toEqual(["asked again"]);
  });

  test("is described by what was different", () => {
    const compared = compareWithQuiet(quiet, [
      course(),
      course({ endReason: "silence" }),
      course({ endReason: "silence" }),
    ]);
    expect(compared.filter(({ isDeaf }) => isDeaf)).toHaveLength(2);
    expect(describeDeviations(compared)).toBe("ended: silence (2)");
    expect(describeDeviations([])).toBe("nothing");
  });
});
