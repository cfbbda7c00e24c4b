import { describe, expect, it } from "vitest";
import { type DraftEvent, type DraftState, PAUSE_MS, stepDraft } from "./draft-state.ts";

/** The state of the draft after these events, and the last effect. */
function after(...events: DraftEvent[]) {
  let state: DraftState = { kind: "saved", revision: 4 };
  let effects: readonly object[] = [];
  for (const event of events) [state, effects] = stepDraft(state, event);
  return { state, effects };
}
const changed = { kind: "changed" } as const;
const due = { kind: "due" } as const;
const unreachable = { kind: "unreachable" } as const;

describe("a draft", () => {
  it("is saved after a pause, and counted as saved with its new revision", () => {
    expect(after(changed).effects).toEqual([{ kind: "wait", ms: PAUSE_MS }]);
    expect(after(changed, due).effects).toEqual([{ kind: "save" }]);
    expect(after(changed, due, { kind: "saved", revision: 5 }).state).toEqual({ kind: "saved", revision: 5 });
  });

  it("is saved again when it was changed while it was being saved", () => {
    const { state, effects } = after(changed, due, changed, { kind: "saved", revision: 5 });
    expect(state).toEqual({ kind: "waiting", revision: 5 });
    expect(effects).toEqual([{ kind: "wait", ms: PAUSE_MS }]);
  });

  it("is retried after a lost connection, with growing delays, and never abandoned", () => {
    const waits: unknown[] = [];
    let state: DraftState = after(changed).state;
    for (let attempt = 0; attempt < 7; attempt += 1) {
      [state] = stepDraft(state, due);
      const [next, effects] = stepDraft(state, unreachable);
      state = next;
      waits.push(...effects);
    }
    expect(waits.map((wait) => (wait as { ms: number }).ms)).toEqual([
      2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(stepDraft(state, changed)[0]).toBe(state);
  });

  it("is not saved over another member's work, however much is changed", () => {
    const overtaken = { kind: "overtaken", message: "Ada was first.", isByYou: false } as const;
    const { state, effects } = after(changed, due, overtaken, changed, due, changed);
    expect(state).toEqual({ kind: "overtaken", revision: 4, message: "Ada was first.", isByYou: false });
    expect(effects).toEqual([]);
    expect(after(changed, due, overtaken, { kind: "decided", revision: 9, mustSave: true })).toMatchObject({
      state: { kind: "saving", revision: 9 },
      effects: [{ kind: "save" }],
    });
  });

  it("that the service rejects is retried with the next change", () => {
    const refused = after(changed, due, { kind: "refused", message: "Too large." });
    expect(refused.state.kind).toBe("refused");
    expect(stepDraft(refused.state, changed)[0].kind).toBe("waiting");
  });
});
