import { describe, expect, it } from "vitest";
import { speechDurationMs } from "../audio/syllables.ts";
import { actCallee } from "../testing/acted-callee.ts";
import { PATIENT_WAIT_MS, planned, TURN_MAX_MS, TURN_WAIT_MS } from "./planned.ts";

describe("a callee with a script", () => {
  it("says its first line immediately and waits for the agent with the next", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { say: "Yes." }]));
    callee.wait(2_000);
    expect(callee.said).toEqual(["Hello."]);
    callee.agentSays(null, 3_000);
    callee.wait(20);
    expect(callee.said).toEqual(["Hello.", "Yes."]);
  });

  it("says its line into the silence when the agent does not speak for some seconds", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { say: "Anybody?" }]));
    callee.wait(speechDurationMs("Hello.") + TURN_WAIT_MS - 100);
    expect(callee.said).toEqual(["Hello."]);
    callee.wait(300);
    expect(callee.said).toEqual(["Hello.", "Anybody?"]);
  });

  it("does not wait indefinitely for an agent that does not stop", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { say: "Enough." }]));
    callee.wait(2_000);
    callee.agentStarts();
    callee.wait(TURN_MAX_MS - 2_000);
    expect(callee.said).toEqual(["Hello."]);
    callee.wait(2_000);
    expect(callee.said).toEqual(["Hello.", "Enough."]);
  });

  it("takes a turn that the agent finished during a wait as its own", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { waitMs: 8_000 }, { say: "Yes." }]));
    callee.wait(1_000);
    callee.agentSays(null, 2_000);
    callee.wait(4_000);
    expect(callee.said).toEqual(["Hello."]);
    callee.wait(2_000);
    expect(callee.said).toEqual(["Hello.", "Yes."]);
  });

  it("presses keys when the agent has had its turn, and speaks when it has had another", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { waitForTurn: true }, { press: "1" }, { say: "Thanks." }]));
    callee.wait(2_000);
    callee.agentSays(null, 3_000);
    callee.wait(20);
    expect(callee.did.at(-1)).toMatch(/ press 1$/);
    callee.wait(1_000);
    expect(callee.said).toEqual(["Hello."]);
    callee.agentSays(null, 1_000);
    callee.wait(20);
    expect(callee.said).toEqual(["Hello.", "Thanks."]);
  });

  it("waits for the turn of a late agent, and then says its line immediately", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { waitForTurn: true }, { say: "Yes." }, { say: "Bye." }]));
    callee.wait(TURN_WAIT_MS + 10_000);
    expect(callee.said).toEqual(["Hello."]);
    callee.agentSays(null, TURN_MAX_MS + 5_000);
    expect(callee.said).toEqual(["Hello."]);
    callee.wait(20);
    expect(callee.said).toEqual(["Hello.", "Yes."]);
    callee.wait(2_000);
    expect(callee.said).toEqual(["Hello.", "Yes."]);
  });

  it("does not wait indefinitely for a turn that never comes", () => {
    const callee = actCallee(planned([{ say: "Hello." }, { waitForTurn: true }, { hangUp: true }]));
    callee.wait(PATIENT_WAIT_MS + 2_000);
    expect(callee.did.at(-1)).toMatch(/ hang_up$/);
  });

  it("waits exactly as long as the plan says, and hangs up", () => {
    const callee = actCallee(planned([{ waitMs: 1_000 }, { waitMs: 500 }, { hangUp: true }, { say: "Never." }]));
    callee.wait(5_000);
    expect(callee.did).toEqual(["1500 hang_up"]);
  });

  it("hangs up after its line, not into it", () => {
    const callee = actCallee(planned([{ say: "Goodbye then." }, { hangUp: true }]));
    callee.wait(5_000);
    expect(callee.did.at(-1)).toBe(`${Math.ceil(speechDurationMs("Goodbye then.") / 20) * 20} hang_up`);
  });

  it("presses its keys without waiting for a turn", () => {
    const callee = actCallee(planned([{ waitMs: 200 }, { press: "12#" }, { hangUp: true }]));
    callee.wait(5_000);
    expect(callee.did).toEqual(["200 press 12#", "740 hang_up"]);
  });

  it("speaks over the agent after the planned time", () => {
    const callee = actCallee(planned([{ interruptAfterMs: 1_200, say: "Stop." }]));
    callee.wait(3_000);
    expect(callee.said).toEqual([]);
    callee.agentStarts();
    callee.wait(1_200);
    expect(callee.said).toEqual([]);
    callee.wait(20);
    expect(callee.did).toEqual(["4200 say Stop."]);
  });

  it("stays on the line after its last step", () => {
    const callee = actCallee(planned([{ waitMs: 100 }]));
    callee.wait(600_000);
    expect(callee.did).toEqual([]);
  });

  it("announces everything it may say", () => {
    const lines = planned([{ say: "One." }, { interruptAfterMs: 5, say: "Two." }, { press: "1" }]).lines;
    expect(lines.map(({ text }) => text)).toEqual(["One.", "Two."]);
  });
});
