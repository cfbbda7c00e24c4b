import { Flow } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { compileFlow } from "./compile.ts";
import { deniesMachine, saysMachine } from "./says-machine.ts";
import { STANDARD_LANGUAGES, standardTexts } from "./standard-texts/standard-texts.ts";

describe("the answer to whether a machine is speaking", () => {
  it.each(STANDARD_LANGUAGES)("is honest in the standard texts: %s", (language) => {
    expect(saysMachine(standardTexts(language).phrases.machine)).toBe(true);
  });

  it.each([
    "Yes, I'm a robot.",
    "I am the virtual assistant of Green Street.",
    "No person here, I'm an AI.",
    "Ja, ich bin eine KI, kein Mensch.",
    "Soy una máquina.",
  ])("says so: %s", (text) => expect(saysMachine(text)).toBe(true));

  it.each([
    "I'm Emma from Green Street.",
    "I'm not a robot.",
    "No, I'm a real person.",
    "This isn't a computer.",
    "Ich bin kein Roboter.",
    "Je ne suis pas un robot.",
    "I am a human being, of course, not some machine.",
    "Do you like automobiles?",
  ])("does not say so: %s", (text) => expect(saysMachine(text)).toBe(false));

  it("denies it only if it says the opposite", () => {
    expect(deniesMachine("I'm Emma from Green Street.")).toBe(false);
    expect(deniesMachine("Yes, I'm an automated assistant, not a person.")).toBe(false);
    expect(deniesMachine("That's not an automatic renewal, and I'm not sure the computer knows.")).toBe(false);
    expect(deniesMachine("You're talking to a real person.")).toBe(true);
    expect(deniesMachine("I'm not a robot.")).toBe(true);
    expect(deniesMachine("Ich bin kein Roboter.")).toBe(true);
  });
});

describe("publishing warns of an answer that does not say that a machine is speaking", () => {
  const warningsOf = (text: string, machine?: string, phrases: readonly string[] = ["are you a robot"]) => {
    const flow = Flow.parse({
      schemaVersion: 1,
      ...(machine === undefined ? {} : { settings: { phrases: { machine } } }),
      nodes: [
        { id: "start", type: "start", next: "bye" },
        { id: "bye", type: "end", text: "Goodbye." },
        { id: "who", type: "say", text, next: "bye", global: { phrases: [...phrases] } },
      ],
    });
    const { warnings } = compileFlow(flow);
    return warnings.flatMap(({ code, path }) => (code === "hidden_machine" ? [path] : []));
  };

  it("in the settings", () => {
    expect(warningsOf("Yes, I'm a robot.", "I'm Emma.")).toEqual(["settings.phrases.machine"]);
    expect(warningsOf("Yes, I'm a robot.", "I'm Emma, a computer.")).toEqual([]);
  });

  it("in a global node", () => {
    expect(warningsOf("My name is Emma.")).toEqual(["nodes[2]"]);
    expect(warningsOf("My name is Emma.", undefined, ["what is your name"])).toEqual([]);
  });
});
