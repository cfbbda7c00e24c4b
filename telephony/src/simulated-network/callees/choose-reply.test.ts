import { describe, expect, it } from "vitest";
import { chooseReply, REPLY_LINES } from "./choose-reply.ts";
import { type CalleeGoal, CORRECTS_ITSELF, PRESSES_KEYS, STOP_CALLING, WANTS_CHANGES, WANTS_OUT } from "./goals.ts";

function answerTo(words: string): string {
  const reply = chooseReply(words, 0);
  if (reply.does === "says") return reply.thenHangsUp ? `${reply.text} (hangs up)` : reply.text;
  return reply.does === "presses" ? `(presses ${reply.keys})` : "(repeats)";
}

describe("what a simulated person answers", () => {
  it.each([
    ["Hello Ann. Your appointment is tomorrow. Will you come, or do you want to cancel?", "Yes, I will come."],
    ["Sorry, I did not get that. Please say: I will come, another day, or cancel.", "Yes, I will come."],
    ["Of course. Which day would suit you better?", "On Friday."],
    ["Sorry, did you say Friday, November twenty-seventh, or Friday, November twentieth?", "The first one."],
    ["Sorry, I didn't get that. Which one is it: Friday, March sixth, or Friday, March thirteenth?", "The first one."],
    ["And at what time?", "At ten in the morning."],
    ["So you would like to come on Friday at ten. Is that right?", "Yes, that is right."],
    // Of a short "right" little is left on a phone line.
    ["So that is I will come, why?", "Yes, that is right."],
    ["Do you really want to cancel the appointment?", "No, please do not cancel it."],
  ])("about an appointment: %s", (words, answer) => expect(answerTo(words)).toBe(answer));

  it.each([
    ["Your parcel will be delivered tomorrow. Will someone be there to take it?", "Yes, someone will be there."],
    ["Where may the driver leave it: with a neighbor, or at the door?", "At the door, please."],
    ["Which neighbor may take it?", "Mrs. Brown, next door."],
  ])("about a delivery: %s", (words, answer) => expect(answerTo(words)).toBe(answer));

  it.each([
    ["Am I speaking with the account holder?", "Yes, speaking."],
    ["Have you already paid, will you pay soon, or do you need more time?", "I will pay soon."],
    ["Thank you. On which day will you pay?", "On Friday."],
  ])("about a payment: %s", (words, answer) => expect(answerTo(words)).toBe(answer));

  it.each([
    ["May I ask you three short questions about your visit?", "Yes, of course."],
    ["From one to five, where five is the best, how satisfied were you?", "Four."],
    ["On a scale from 0 to 10, how likely are you to recommend us?", "Nine."],
    ["That is good to hear. What did you like best?", "The people were very friendly."],
    ["I am sorry to hear that. What went wrong?", "It took rather long."],
    ["One last question. Would you recommend us to a friend?", "Yes, I would."],
    ["How many people live with you?", "Two."],
  ])("in a survey: %s", (words, answer) => expect(answerTo(words)).toBe(answer));

  it.each([
    ["can you hear me", "Yes, I can hear you."],
    ["Are you still there?", "Yes, I am still here."],
    ["Would you like someone to call you?", "Yes, please."],
    ["What is the meaning of life?", "I am not sure about that."],
    ["The weather is fine today.", "All right."],
  ])("otherwise: %s", (words, answer) => expect(answerTo(words)).toBe(answer));

  it.each(["Thank you. Goodbye.", "Have a nice day!", "All right then, bye bye.", "Good-bye"])(
    "says goodbye and hangs up when the agent does: %s",
    (words) => expect(answerTo(words)).toBe("Thank you. Goodbye. (hangs up)"),
  );

  it.each([
    ["To confirm, press 1. To cancel, press 2.", "(presses 1)"],
    ["Please press the star key, press star.", "(presses *)"],
    ["Press nine to stop these calls.", "(presses 9)"],
  ])("presses the first key it is asked for: %s", (words, answer) => expect(answerTo(words)).toBe(answer));

  it("says the same again when it was not understood", () => {
    expect(answerTo("Pardon? Could you repeat that?")).toBe("(repeats)");
    expect(answerTo("Sorry, I did not understand you.")).toBe("(repeats)");
  });

  it("asks again when it did not understand, each time differently, and then hangs up: it never answers", () => {
    expect([0, 1, 2].map((before) => chooseReply(null, before))).toEqual([
      { does: "says", text: "Sorry, can you say that again?", thenHangsUp: false },
      { does: "says", text: "I am sorry, I still did not understand you.", thenHangsUp: false },
      { does: "says", text: "I cannot understand you. Goodbye.", thenHangsUp: true },
    ]);
    expect(chooseReply("  ", 0)).toEqual(chooseReply(null, 0));
  });

  it("waits for more when it was only greeted", () => {
    expect(chooseReply("Hello, Ada.", 0)).toEqual({ does: "waits" });
    expect(chooseReply("Good morning.", 0)).toEqual({ does: "waits" });
    expect(answerTo("Hello Ada, will you come?")).toBe("Yes, I will come.");
  });

  it("never says a line that was not announced, whatever it hears", () => {
    const words = [
      "",
      "who",
      "why",
      "when can you pay",
      "your name",
      "is this you",
      "e-mail",
      "how much",
      "rate us",
      "x",
    ];
    for (const heard of words) {
      const reply = chooseReply(heard, 3);
      expect(reply.does).toBe("says");
      expect(REPLY_LINES).toContain(reply.does === "says" ? reply.text : null);
    }
  });
});

describe("a person with goals", () => {
  const APPOINTMENT = "Will you come, would you rather come another day, or do you want to cancel?";
  const wants = (goals: readonly CalleeGoal[], heard: string) => {
    const reply = chooseReply(heard.toLowerCase(), 1, goals);
    return reply.does === "says" ? reply.text : reply.does === "presses" ? `[${reply.keys}]` : reply.does;
  };

  it("says what it wants where it is asked about it, and is polite otherwise", () => {
    expect(wants(WANTS_CHANGES, APPOINTMENT)).toBe("I would like to come another day.");
    expect(wants(WANTS_CHANGES, "Of course. Which day would suit you better?")).toBe("On Friday.");
    expect(wants(WANTS_CHANGES, "So you would like to come another day, on Friday. Is that right?")).toBe(
      "Yes, that is right.",
    );
    expect(wants(WANTS_OUT, APPOINTMENT)).toBe("I would like to cancel.");
    expect(wants(WANTS_OUT, "Do you really want to cancel the appointment?")).toBe("Yes, please cancel it.");
    expect(wants(CORRECTS_ITSELF, "Which day would suit you better?")).toBe("On Tuesday. No, Thursday.");
  });

  it("says it also where it is offered keys, and presses them where it would rather", () => {
    expect(wants(WANTS_CHANGES, "Press one for: I will come. Press two for: another day.")).toBe(
      "I would like to come another day.",
    );
    expect(wants(PRESSES_KEYS, APPOINTMENT)).toBe("[2]");
    expect(wants(PRESSES_KEYS, "From one to five, how satisfied were you?")).toBe("[4]");
  });

  it("still says goodbye when the agent does", () => {
    expect(wants(STOP_CALLING, "We will not call you again. Goodbye.")).toBe("Thank you. Goodbye.");
  });
});
