import { describe, expect, it } from "vitest";
import { actCallee } from "../testing/acted-callee.ts";
import { human } from "./human.ts";
import { asSaidBy, GIVE_UP_LINE, type HumanTraits, MUST_GO_LINE, NUDGE_LINE } from "./human-traits.ts";

const FRIENDLY: HumanTraits = { greeting: "Hello?" };

function pickUp(traits: Partial<HumanTraits> = {}) {
  const callee = actCallee(human({ ...FRIENDLY, ...traits }));
  callee.wait(2_000);
  return callee;
}

describe("a simulated person", () => {
  it("says hello soon after picking up, and then waits for the agent", () => {
    const callee = actCallee(human(FRIENDLY));
    callee.wait(300);
    expect(callee.said).toEqual([]);
    callee.wait(3_000);
    expect(callee.said).toEqual(["Hello?"]);
  });

  it("answers what it was asked, after the agent has fallen silent", () => {
    const callee = pickUp();
    callee.agentSays("Which day would suit you better?");
    expect(callee.said.at(-1)).toBe("On Friday.");
  });

  it("waits while the agent continues after a pause", () => {
    const callee = actCallee(human(FRIENDLY));
    callee.wait(2_000);
    callee.agentStarts();
    callee.wait(10_000);
    expect(callee.said).toEqual(["Hello?"]);
  });

  it("asks once into the silence and then hangs up, even when the agent never speaks", () => {
    const callee = pickUp();
    callee.wait(30_000);
    expect(callee.said).toEqual(["Hello?", NUDGE_LINE, GIVE_UP_LINE]);
    expect(callee.hasHungUp).toBe(true);
  });

  it("has more patience in the middle of a conversation than at its beginning", () => {
    const callee = pickUp();
    callee.agentSays("How are you?");
    callee.wait(7_000);
    expect(callee.said).not.toContain(NUDGE_LINE);
    callee.wait(4_000);
    expect(callee.said.at(-1)).toBe(NUDGE_LINE);
  });

  it("asks what was said before it answers, where it is hard of hearing", () => {
    const callee = pickUp({ asksBack: ["What?"] });
    callee.agentSays("Which day would suit you better?");
    expect(callee.said.at(-1)).toBe("What?");
    callee.agentSays("On which day would you like to come?");
    expect(callee.said.at(-1)).toBe("On Friday.");
  });

  it("waits on when it was only greeted", () => {
    const callee = pickUp();
    callee.agentSays("Hello Ada.");
    expect(callee.said).toEqual(["Hello?"]);
    callee.agentSays("Which day would suit you better?");
    expect(callee.said.at(-1)).toBe("On Friday.");
  });

  it("says goodbye and hangs up when the agent does", () => {
    const callee = pickUp();
    callee.agentSays("Thank you. Goodbye.");
    expect(callee.hasHungUp).toBe(false);
    callee.wait(3_000);
    expect(callee.said.at(-1)).toBe("Thank you. Goodbye.");
    expect(callee.hasHungUp).toBe(true);
  });

  it("repeats its last answer when it was not understood", () => {
    const callee = pickUp();
    callee.agentSays("And at what time?");
    callee.wait(3_000);
    callee.agentSays("Sorry, could you repeat that?");
    expect(callee.said.slice(-2)).toEqual(["At ten in the morning.", "At ten in the morning."]);
  });

  it("presses a key when it is asked to", () => {
    const callee = pickUp();
    callee.agentSays("To confirm, press 1.");
    expect(callee.did.at(-1)).toMatch(/ press 1$/);
  });

  it("asks again when it does not understand, never answers, and hangs up at last", () => {
    const callee = pickUp();
    for (let turn = 0; turn < 3; turn += 1) {
      callee.agentSays(null);
      callee.wait(3_000);
    }
    expect(callee.said.slice(1)).toEqual([
      "Sorry, can you say that again?",
      "I am sorry, I still did not understand you.",
      "I cannot understand you. Goodbye.",
    ]);
    expect(callee.hasHungUp).toBe(true);
  });

  it("has as much patience again after it has understood, and repeats answers, not its own questions", () => {
    const callee = pickUp();
    for (const words of [null, "And at what time?", null, "Sorry, could you repeat that?", null]) {
      callee.agentSays(words);
      callee.wait(3_000);
    }
    const again = "Sorry, can you say that again?";
    const answer = "At ten in the morning.";
    expect(callee.said.slice(1)).toEqual([again, answer, again, answer, again]);
    expect(callee.hasHungUp).toBe(false);
  });

  it("stops and listens when it is talked over", () => {
    const callee = pickUp({ isSlow: true });
    callee.agentSays("Will someone be there?");
    callee.agentStarts();
    callee.wait(1_180);
    expect(callee.isSpeaking).toBe(true);
    callee.wait(100);
    expect(callee.did.at(-1)).toMatch(/stop_speaking$/);
    expect(callee.isSpeaking).toBe(false);
  });

  it("ends a conversation that leads nowhere", () => {
    const callee = pickUp();
    for (let turn = 0; turn < 40 && !callee.hasHungUp; turn += 1) {
      callee.agentSays("The weather is fine.");
      callee.wait(2_500);
    }
    expect(callee.said.at(-1)).toBe(MUST_GO_LINE);
    expect(callee.hasHungUp).toBe(true);
  });

  it("interrupts the agent while it speaks, once with each line", () => {
    const callee = pickUp({ interrupts: { afterMs: 1_500, lines: ["Wait.", "Stop."] } });
    for (let turn = 0; turn < 3; turn += 1) {
      callee.agentSays("The weather is fine.", 5_000);
      callee.wait(3_000);
    }
    expect(callee.said.filter((line) => line === "Wait." || line === "Stop.")).toEqual(["Wait.", "Stop."]);
    const at = Number(callee.did.find((line) => line.includes("Wait."))?.split(" ")[0]);
    expect(at).toBe(2_000 + 1_500);
  });

  it("murmurs while the agent speaks, without taking the turn", () => {
    const callee = pickUp({ murmurs: { everyMs: 1_400, line: "Mhm." } });
    callee.agentSays("How are you?", 5_000);
    expect(callee.said.filter((line) => line === "Mhm.")).toHaveLength(4);
    expect(callee.said.at(-1)).toBe("I am fine, thank you.");
  });

  it("hangs up in the middle of what the agent says", () => {
    const callee = pickUp({ hangsUpAfterMs: 1_500 });
    callee.agentStarts();
    callee.wait(1_480);
    expect(callee.hasHungUp).toBe(false);
    callee.wait(40);
    expect(callee.hasHungUp).toBe(true);
  });

  it("puts the agent on hold once, with music, and returns", () => {
    const callee = pickUp({ holds: { line: "One moment.", forMs: 20_000, backLine: "I am back." } });
    callee.agentSays("Which day?");
    callee.wait(10_000);
    callee.agentSays("Hello?");
    callee.wait(20_000);
    const [, hold, on, off, back] = callee.did.map((line) => line.split(" "));
    expect([hold?.slice(1), on?.slice(1), off?.slice(1), back?.slice(1)]).toEqual([
      ["say", "One", "moment."],
      ["music", "true"],
      ["music", "false"],
      ["say", "I", "am", "back."],
    ]);
    expect(Number(off?.[0]) - Number(on?.[0])).toBe(20_000);
    callee.agentSays("Which day?");
    expect(callee.said.at(-1)).toBe("On Friday.");
  });

  it("leaves pauses in its sentences when it is slow, and says nothing that was not announced", () => {
    const slow = { ...FRIENDLY, isSlow: true };
    const machine = human(slow);
    const callee = actCallee(machine);
    callee.wait(2_000);
    callee.agentSays("Will someone be there?");
    expect(callee.said.at(-1)).toBe("Yes, someone ... will be ... there.");
    const announced = machine.lines.map(({ text }) => text);
    for (const line of callee.said) expect(announced).toContain(line);
    expect(asSaidBy(FRIENDLY, "One two three four five")).toBe("One two three four five");
  });
});
