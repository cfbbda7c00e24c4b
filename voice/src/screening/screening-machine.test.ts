import { describe, expect, it } from "vitest";
import { type Happening, kindsOf, playScreening } from "./testing/play-screening.ts";

/** Speech of which nothing is recognized. */
const sound = (fromMs: number, toMs: number): Happening => ({ says: "", fromMs, toMs });
const says = (text: string, fromMs: number, toMs: number): Happening => ({ says: text, fromMs, toMs });
const beep = (fromMs: number, toMs: number): Happening => ({ tone: "beep", fromMs, toMs });

describe("by the length of speech alone", () => {
  it("a callee who speaks for up to 1.2 s and is then silent is a human, recognized 0.6 s later", () => {
    const [first, ...more] = playScreening([sound(500, 1_700)]);
    expect(first).toEqual({
      type: "answered_by",
      kind: "human",
      reason: "it spoke for 1.2 s and was then silent",
      knownMs: 2_300,
    });
    expect(more).toEqual([]);
  });

  it("a callee who speaks for longer than a hello is undecided", () => {
    expect(kindsOf(playScreening([sound(500, 1_800)]))).toEqual(["unknown"]);
  });

  it("a callee who speaks for 2.5 s without a pause is suspicious but not a machine", () => {
    expect(kindsOf(playScreening([sound(500, 9_000)]))).toEqual(["unknown"]);
  });

  it("a click is not a hello", () => {
    expect(kindsOf(playScreening([sound(500, 600)]))).toEqual(["unknown"]);
  });

  it("short pauses do not cut speech into hellos", () => {
    expect(kindsOf(playScreening([sound(500, 1_500), sound(2_000, 3_000), sound(3_500, 4_500)]))).toEqual(["unknown"]);
  });

  it("a callee who answers in short turns is a human, however long the first words were", () => {
    const turns = [sound(500, 3_500), sound(8_000, 9_000), sound(14_000, 15_000)];
    expect(kindsOf(playScreening(turns))).toEqual(["human"]);
  });

  it("a callee who never makes a sound is unknown when the window closes, with the reason in words", () => {
    expect(playScreening([])).toEqual([
      {
        type: "answered_by",
        kind: "unknown",
        reason: "nothing that was heard in 30 s decided it",
        knownMs: 30_000,
      },
    ]);
  });
});

describe("by the words", () => {
  it.each([
    ["voicemail", "Hi, this is Ann. I can't come to the phone right now."],
    ["voicemail", "Please leave your name and number."],
    ["voicemail", "You have reached the mailbox of extension four."],
    ["ivr", "For opening hours, press one."],
    ["ivr", "Please listen carefully to this. Your call is important to us."],
    ["screening", "Please state your name and why you are calling."],
    ["screening", "This number uses a call screening service."],
    ["human", "Good morning, Hill Surgery, how can I help you?"],
    ["human", "May I ask who's calling?"],
  ])("%s is told by: %s", (kind, text) => {
    const [first] = playScreening([says(text, 500, 4_000)]);
    expect(first).toMatchObject({ type: "answered_by", kind, knownMs: 4_300 });
  });

  it("the reason quotes what was said", () => {
    const [first] = playScreening([says("Please leave a short message.", 500, 2_000)]);
    expect(first).toMatchObject({ kind: "voicemail", reason: 'it said "leave a short message"' });
  });

  it("a person who answers for someone else and offers to take a message is a human", () => {
    const text = "He is not available at the moment, would you like to leave a message?";
    expect(kindsOf(playScreening([says(text, 500, 4_500)]))).toEqual(["human"]);
  });

  it("a hello is revised when a greeting continues after it", () => {
    const decisions = playScreening([says("Hi, it's Bob.", 500, 1_500), says("Leave a message.", 2_500, 3_500)]);
    expect(kindsOf(decisions)).toEqual(["human", "voicemail"]);
  });

  it("one machine phrase in the middle of a conversation does not turn a human into a machine", () => {
    const decisions = playScreening([
      says("Hello?", 500, 1_000),
      says("Yes, that's me.", 6_000, 7_000),
      says("Thursday.", 11_000, 11_800),
      says("Leave a message with my neighbour.", 16_000, 18_000),
    ]);
    expect(kindsOf(decisions)).toEqual(["human"]);
  });

  it("a network announcement is unknown and unreachable", () => {
    const decisions = playScreening([says("The number you have dialed is not in service.", 500, 4_000)]);
    expect(decisions).toMatchObject([
      { type: "answered_by", kind: "unknown" },
      { type: "unreachable", reason: expect.stringContaining("not in service") },
    ]);
  });

  it("a carrier that says someone is not available is a voicemail if it takes messages, otherwise unreachable", () => {
    const start = "The customer you are calling is not available.";
    expect(kindsOf(playScreening([says(`${start} Please leave a message.`, 500, 5_000)]))).toEqual(["voicemail"]);
    expect(kindsOf(playScreening([says(`${start} Please try again later.`, 500, 5_000)]))).toEqual([
      "unknown",
      "unreachable",
    ]);
  });

  it("better recognized words replace the first guess", () => {
    const guess = says("Press one to", 500, 1_500);
    const later = says("Preston Motors, how can I help you?", 500, 3_000);
    expect(kindsOf(playScreening([guess, later]))).toEqual(["ivr", "human"]);
  });
});

describe("a voicemail's tone", () => {
  const greeting = says("I am not here. Leave a message after the tone.", 500, 4_000);

  it("is reported with the position where it ended, after the voicemail was recognized", () => {
    expect(playScreening([greeting, beep(4_800, 5_200)])).toMatchObject([
      { type: "answered_by", kind: "voicemail", knownMs: 4_300 },
      { type: "beep", atMs: 5_200, knownMs: 5_300 },
    ]);
  });

  it("turns an apparent human into a voicemail, and is reported at the same moment", () => {
    const decisions = playScreening([sound(500, 1_500), beep(3_000, 3_400)]);
    expect(decisions).toMatchObject([
      { kind: "human", knownMs: 2_100 },
      { kind: "voicemail", reason: "a tone of 1000 Hz followed its words", knownMs: 3_500 },
      { type: "beep", atMs: 3_400, knownMs: 3_500 },
    ]);
  });

  it("identifies a voicemail after a long greeting in an unknown language", () => {
    expect(kindsOf(playScreening([sound(500, 6_000), beep(6_500, 6_900)]))).toEqual(["voicemail", "beep"]);
  });

  it("that came before the words were recognized is reported when they are", () => {
    const late: Happening[] = [
      says("Hello? Hello?", 500, 1_000),
      { says: "you know what to do", fromMs: 1_700, toMs: 2_600 },
      beep(2_650, 2_750),
    ];
    expect(kindsOf(playScreening(late))).toEqual(["human", "voicemail", "beep"]);
  });

  it("is reported once: a second one without words between them ends the recording", () => {
    const decisions = playScreening([greeting, beep(4_800, 5_200), beep(12_000, 12_400)]);
    expect(kindsOf(decisions)).toEqual(["voicemail", "beep"]);
  });

  it("is reported again when the voicemail kept speaking after the first", () => {
    const decisions = playScreening([greeting, beep(4_800, 5_200), sound(5_500, 8_000), beep(9_000, 9_400)]);
    expect(kindsOf(decisions)).toEqual(["voicemail", "beep", "beep"]);
  });

  it("is waited for after the window closed, for 90 s at most", () => {
    expect(kindsOf(playScreening([greeting, beep(60_000, 60_400)], { untilMs: 100_000 }))).toEqual([
      "voicemail",
      "beep",
    ]);
    expect(kindsOf(playScreening([greeting, beep(95_000, 95_400)], { untilMs: 100_000 }))).toEqual(["voicemail"]);
  });

  it("decides nothing if nothing was said before it", () => {
    expect(kindsOf(playScreening([beep(1_000, 1_400)]))).toEqual(["unknown"]);
  });

  it("is only a noise from a person who talks with us", () => {
    const talk = [says("Hello?", 500, 1_000), says("Yes?", 6_000, 6_500), says("Tuesday then.", 11_000, 12_000)];
    expect(kindsOf(playScreening([...talk, beep(13_000, 13_400)]))).toEqual(["human"]);
  });
});

describe("other signals of the line", () => {
  it("a fax that answers is recognized immediately, whatever was heard before", () => {
    const decisions = playScreening([sound(500, 1_500), { tone: "fax_answer", fromMs: 3_000, toMs: 3_600 }]);
    expect(kindsOf(decisions)).toEqual(["human", "fax"]);
  });

  it("one calling tone of a fax is not enough, two are", () => {
    const call = (toMs: number): Happening => ({ tone: "fax_call", fromMs: toMs - 500, toMs });
    expect(kindsOf(playScreening([call(2_000)]))).toEqual(["unknown"]);
    expect(kindsOf(playScreening([call(2_000), call(5_500)]))).toEqual(["fax"]);
  });

  it("a tone like a fax's after a greeting is the tone of a voicemail", () => {
    const decisions = playScreening([sound(500, 5_000), { tone: "fax_call", fromMs: 5_500, toMs: 6_000 }]);
    expect(kindsOf(decisions)).toEqual(["voicemail", "beep"]);
  });

  it("the three tones of the network mean that the number is unreachable", () => {
    const decisions = playScreening([{ tone: "announcement", fromMs: 300, toMs: 1_300 }]);
    expect(decisions).toMatchObject([{ kind: "unknown", knownMs: 1_400 }, { type: "unreachable" }]);
  });

  it("a busy tone means that the number is unreachable, but not who spoke before it", () => {
    const busy: Happening = { tone: "busy", fromMs: 4_000, toMs: 6_000 };
    expect(kindsOf(playScreening([busy]))).toEqual(["unknown", "unreachable"]);
    expect(kindsOf(playScreening([sound(500, 1_200), busy]))).toEqual(["human"]);
  });

  it("a callee who presses a key is a human if nothing else is known", () => {
    expect(playScreening([{ pressesAtMs: 2_000 }])).toMatchObject([{ kind: "human", reason: "it pressed a key" }]);
  });
});

describe("the window", () => {
  it("no party is judged after it", () => {
    const late = says("Please leave a message after the tone.", 29_900, 32_000);
    expect(kindsOf(playScreening([sound(500, 1_500), late]))).toEqual(["human"]);
  });

  it("every number is a setting: a longer hello and a shorter window can be configured", () => {
    expect(kindsOf(playScreening([sound(500, 2_300)], { settings: { helloMaxMs: 2_000 } }))).toEqual(["human"]);
    expect(playScreening([], { settings: { windowMs: 10_000 } })).toMatchObject([{ kind: "unknown", knownMs: 10_000 }]);
  });
});
