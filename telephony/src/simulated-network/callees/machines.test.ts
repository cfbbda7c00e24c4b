import { describe, expect, it } from "vitest";
import { silent } from "../callee-behaviours.ts";
import { actCallee } from "../testing/acted-callee.ts";
import { human } from "./human.ts";
import {
  ADDRESS_LINE,
  ANNOUNCING_LINE,
  CONNECTING_LINE,
  fax,
  HOURS_LINE,
  MENU_LINE,
  menu,
  NO_KEY_LINE,
  REFUSING_LINE,
  SCREENING_LINE,
  screening,
  VOICEMAIL_GREETING,
  VOICEMAIL_RECORDING_MS,
  voicemail,
  WRONG_KEY_LINE,
} from "./machines.ts";

const person = human({ greeting: "Hello?" });

describe("a simulated answering machine", () => {
  it("greets, beeps, records silently for its time, and hangs up", () => {
    const callee = actCallee(voicemail());
    callee.wait(60_000);
    const [greets, beeps, hangsUp] = callee.did.map((line) => Number(line.split(" ")[0]));
    expect(callee.did.map((line) => line.split(" ").slice(1).join(" "))).toEqual([
      `say ${VOICEMAIL_GREETING}`,
      "play beep",
      "hang_up",
    ]);
    expect(greets).toBe(500);
    expect((hangsUp ?? 0) - (beeps ?? 0)).toBe(VOICEMAIL_RECORDING_MS + 400);
  });

  it("does not react to speech", () => {
    const callee = actCallee(voicemail());
    callee.wait(12_000);
    callee.agentSays("Please call me back. Goodbye.");
    callee.wait(5_000);
    expect(callee.said).toEqual([VOICEMAIL_GREETING]);
    expect(callee.hasHungUp).toBe(false);
  });
});

describe("a simulated menu", () => {
  it.each([
    ["1", HOURS_LINE],
    ["2", ADDRESS_LINE],
  ])("cuts itself short for the key %s, says what belongs to it, and hangs up", (key, line) => {
    const callee = actCallee(menu(person));
    callee.wait(2_000);
    callee.press(key);
    expect(callee.did.slice(-2).map((did) => did.split(" ")[1])).toEqual(["stop_speaking", "say"]);
    callee.wait(10_000);
    expect(callee.said).toEqual([MENU_LINE, line]);
    expect(callee.hasHungUp).toBe(true);
  });

  it("connects a person on key 0, who then holds a conversation", () => {
    const callee = actCallee(menu(person));
    callee.wait(15_000);
    callee.press("0");
    callee.wait(12_000);
    expect(callee.said.slice(-2)).toEqual([CONNECTING_LINE, "Hello?"]);
    callee.agentSays("And at what time?");
    expect(callee.said.at(-1)).toBe("At ten in the morning.");
  });

  it("rejects an unknown choice and asks again", () => {
    const callee = actCallee(menu(person));
    callee.wait(2_000);
    callee.press("7");
    callee.wait(5_000);
    expect(callee.said).toEqual([MENU_LINE, WRONG_KEY_LINE, MENU_LINE]);
  });

  it("asks three times and then hangs up when no key is pressed", () => {
    const callee = actCallee(menu(person));
    callee.wait(90_000);
    expect(callee.said).toEqual([MENU_LINE, MENU_LINE, MENU_LINE, NO_KEY_LINE]);
    expect(callee.hasHungUp).toBe(true);
  });
});

describe("a simulated screening service", () => {
  it("asks who is calling and connects a caller who answers", () => {
    const callee = actCallee(screening(person));
    callee.wait(12_000);
    callee.agentSays("This is Northwind about your appointment.", 3_000);
    callee.wait(10_000);
    expect(callee.said).toEqual([SCREENING_LINE, ANNOUNCING_LINE, "Hello?"]);
    callee.agentSays("How are you?");
    expect(callee.said.at(-1)).toBe("I am fine, thank you.");
  });

  it("hangs up when the caller does not answer", () => {
    const callee = actCallee(screening(person));
    callee.wait(40_000);
    expect(callee.said).toEqual([SCREENING_LINE, REFUSING_LINE]);
    expect(callee.hasHungUp).toBe(true);
  });

  it("does not take a mere hello for an introduction", () => {
    const callee = actCallee(screening(person));
    callee.wait(12_000);
    callee.agentSays("Hello?", 400);
    callee.wait(1_000);
    expect(callee.said).toEqual([SCREENING_LINE]);
  });
});

describe("a simulated fax machine", () => {
  it("answers with its tone, introduces itself three times and hangs up", () => {
    const callee = actCallee(fax());
    callee.wait(60_000);
    expect(callee.did.map((line) => line.split(" ").slice(1).join(" "))).toEqual([
      "play fax_answer",
      "play fax_preamble",
      "play fax_preamble",
      "play fax_preamble",
      "hang_up",
    ]);
  });

  it("answers immediately, and again, when it hears another fax calling", () => {
    const callee = actCallee(fax());
    callee.wait(100);
    callee.hearFax();
    expect(callee.did).toEqual(["100 play fax_answer"]);
    callee.wait(6_000);
    callee.hearFax();
    expect(callee.did.at(-1)).toBe("6100 play fax_answer");
  });
});

describe("a silent callee", () => {
  it("does nothing, whatever happens", () => {
    const callee = actCallee(silent());
    callee.wait(5_000);
    callee.agentSays("Hello? Is anybody there?");
    callee.wait(60_000);
    expect(callee.did).toEqual([]);
  });
});
