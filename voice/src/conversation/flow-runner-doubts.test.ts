import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import type { IntentRanker } from "../ports/intent-ranker.ts";
import { hear, listen, openRig, promisesSettle, type RigOptions } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

type Ask = Extract<FlowNode, { type: "ask" }>;

const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
const lost: FlowNode = { id: "lost", type: "end", text: "We will write to you." };
const said = (text: string) => ({ type: "said", text, best: null }) as const;

function ask(answer: Ask["answer"], fields: Partial<Ask> = {}): FlowNode {
  return { id: "q", type: "ask", text: "Well?", answer, exits: [], next: "bye", otherwise: "lost", ...fields };
}

async function held(nodes: readonly FlowNode[], lines: readonly string[], options: RigOptions = {}) {
  const { replies, collected } = await talk(openRig([...nodes, bye, lost], options).brain, lines);
  return { replies: replies.slice(1), collected };
}

describe("reading an answer back", () => {
  const question = ask("date", { text: "Which day?", saveAs: "day", confirm: {} });

  it("accepts it after a yes", async () => {
    expect(await held([question], ["Thursday", "Yes, that's right."])).toEqual({
      replies: ["That's Thursday, March fifth, is that right?", "Goodbye."],
      collected: { day: "2026-03-05" },
    });
  });

  it("accepts another value instead, with or without a no", async () => {
    expect((await held([question], ["Tuesday", "No, Thursday.", "yes"])).collected).toEqual({ day: "2026-03-05" });
    expect((await held([question], ["Tuesday", "Thursday I said", "yes"])).replies).toEqual([
      "That's Tuesday, March third, is that right?",
      "That's Thursday, March fifth, is that right?",
      "Goodbye.",
    ]);
  });

  it("accepts the same value again as a yes", async () => {
    expect((await held([question], ["Thursday", "Thursday"])).collected).toEqual({ day: "2026-03-05" });
  });

  it("accepts a yes that was only heard if it was clear, and in so few words that nothing else can be meant", async () => {
    const after = async (text: string, score: number, margin: number) => {
      const { brain } = openRig([question, bye, lost]);
      const turn = { type: "said", text, best: { answer: "yes", score, margin } } as const;
      return (await talk(brain, ["Thursday", turn])).collected;
    };
    expect(await after("Yeast.", 0.9, 0.5)).toEqual({ day: "2026-03-05" });
    expect(await after("Yeast.", 0.6, 0.5)).toEqual({});
    expect(await after("Yeast.", 0.9, 0.05)).toEqual({});
    expect(await after("So many minutes of the evening news.", 0.95, 0.6)).toEqual({});
  });

  it("asks again after a no, but not forever", async () => {
    const { replies, collected } = await held([question], ["Tuesday", "No.", "Friday", "No.", "Monday", "No."]);
    expect(replies[1]).toBe("Sorry about that. Which day?");
    expect(replies.at(-1)).toBe("We will write to you.");
    expect(collected).toEqual({});
  });

  it("accepts keys for yes and no too", async () => {
    expect((await held([question], ["Thursday", "[1]"])).collected).toEqual({ day: "2026-03-05" });
    expect((await held([question], ["Thursday", "[2]"])).replies.at(-1)).toBe("Sorry about that. Which day?");
  });

  it("uses the flow's wording", async () => {
    const worded = ask("phone", { confirm: { text: "I noted {{answer}}. Correct?" } });
    expect((await held([worded], ["five five five oh one double oh"])).replies).toEqual([
      "I noted five five five, zero one zero zero. Correct?",
    ]);
  });

  it("never says the same sentence twice in a row", async () => {
    const patient = { ...question, retries: { max: 5 } } as FlowNode;
    const { replies } = await held([patient], ["Thursday", "bananas", "bananas", "bananas"]);
    expect(replies).toEqual([
      "That's Thursday, March fifth, is that right?",
      "Sorry, I didn't get that. I have Thursday, March fifth. Is that correct?",
      "I'm sorry, I still didn't get that. That's Thursday, March fifth, is that right?",
      "I'm sorry, I still didn't get that. I have Thursday, March fifth. Is that correct?",
    ]);
  });

  it.each([undefined, "Can we expect you?"])(
    "asks a question that is not understood in other words each time: %s",
    async (reworded) => {
      const coming = ask("yes_no", { text: "Are you coming?", retries: { max: 3 }, ...(reworded && { reworded }) });
      const { replies } = await held([coming], ["bananas", "bananas", "bananas"]);
      const asked = ["Are you coming?", ...replies].map((reply) => /[^.?]*\?/.exec(reply)?.[0].trim());
      expect(asked).toHaveLength(4);
      for (const [index, each] of asked.slice(2).entries()) expect(each).not.toBe(asked[index + 1]);
    },
  );

  it("repeats its own words if an agent has words for the first time only", async () => {
    const phrases = { confirm: "{{answer}}, richtig?" };
    const options = { settings: { phrases, retries: { max: 3 } } };
    const { replies } = await held([question], ["Thursday", "bananas"], options);
    expect(replies[1]).toBe("Sorry, I didn't get that. Thursday, March fifth, richtig?");
  });

  it("does not interpret a yes as a name", async () => {
    const name = ask("name", { saveAs: "name", confirm: {} });
    expect((await held([name], ["My name is Jon Smith", "No, it's Joan Smith", "Yes"])).collected).toEqual({
      name: "Joan Smith",
    });
  });
});

describe("corrections", () => {
  const day = ask("date", { id: "day", text: "Which day?", saveAs: "day", next: "time" });
  const time = ask("time", { id: "time", text: "What time?", saveAs: "time", next: "done", otherwise: "bye" });
  const done: FlowNode = { id: "done", type: "end", text: "Until {{day}} at {{time}}." };

  it("of the previous answer are accepted, and the question after it is asked again", async () => {
    expect(await held([day, time, done], ["Tuesday", "No, Thursday.", "At ten."])).toEqual({
      replies: [
        "What time?",
        "All right, Thursday, March fifth. What time?",
        "Until Thursday, March fifth at ten A M.",
      ],
      collected: { day: "2026-03-05", time: "10:00" },
    });
  });

  it("take another path through the flow if the answer decides it", async () => {
    const coming = ask("yes_no", {
      ...{ id: "coming", text: "Are you coming?", saveAs: "coming", next: "day" },
      exits: [{ when: "no", next: "why" }],
    });
    const why = ask("date", { id: "why", text: "When could you?" });
    const { replies } = await held([coming, why, day, time, done], ["No", "Sorry, I meant yes."]);
    expect(replies.at(-1)).toContain("Which day?");
  });

  it("are not possible once something irreversible was done", async () => {
    const press: FlowNode = { id: "press", type: "dtmf", keys: "1", next: "time" };
    const nodes = [{ ...day, next: "press" } as FlowNode, press, time, done];
    const { replies } = await held(nodes, ["Tuesday", "No, Thursday."]);
    expect(replies.at(-1)).toBe("Sorry, I didn't get that. What time?");
  });

  it("within one answer count immediately", async () => {
    expect((await held([day, time, done], ["Tuesday, no wait, Thursday", "ten"])).collected).toMatchObject({
      day: "2026-03-05",
    });
  });
});

describe("an answer that may be two things", () => {
  const colour = ask("choice", {
    ...{ text: "Red or green?", saveAs: "colour" },
    exits: [
      { when: "red", next: "bye" },
      { when: "green", next: "bye" },
      { when: "blue", next: "bye" },
    ],
  });

  it.each([
    ["Green.", "green"],
    ["The first one.", "red"],
    ["the latter", "green"],
    ["No, blue.", "blue"],
    ["[2]", "green"],
  ])("is settled by asking which: %s", async (answer, colourTaken) => {
    const { replies, collected } = await held([colour], ["Red or green, I don't know", answer]);
    expect(replies[0]).toBe("Sorry, do you mean that it's red, or that it's green?");
    expect(collected).toEqual({ colour: colourTaken });
  });

  it("is asked for again when neither was meant", async () => {
    expect((await held([colour], ["red or green", "Neither."])).replies.at(-1)).toBe("Sorry about that. Red or green?");
  });

  it("may be an ambiguous day", async () => {
    const day = ask("date", { text: "Which day?", saveAs: "day" });
    const { replies, collected } = await held([day], ["next Tuesday", "The second one"]);
    expect(replies[0]).toBe("Sorry, did you say Tuesday, March tenth, or Tuesday, March third?");
    expect(collected).toEqual({ day: "2026-03-03" });
  });
});

describe("numbers that are dictated in pieces", () => {
  const code = ask("digits", { text: "The code?", saveAs: "code", digits: { min: 6, max: 6 } });

  it("are put together", async () => {
    const { replies, collected } = await held([code], ["one two", "three four", "five six"]);
    expect(replies.slice(0, 2)).toEqual(["Yes, please go on.", "Yes, please go on."]);
    expect(collected).toEqual({ code: "123456" });
  });

  it("may be finished with keys", async () => {
    expect((await held([code], ["one two", "[3456]"])).collected).toEqual({ code: "123456" });
  });

  it("start over when something else comes in between", async () => {
    const { replies, collected } = await held([code], ["one two", "bananas", "one two three four five six"]);
    expect(replies[1]).toBe("Sorry, I didn't get that. The code?");
    expect(collected).toEqual({ code: "123456" });
  });

  it("tell recognition how many digits are still to come", async () => {
    const { brain } = openRig([code, bye, lost]);
    await talk(brain, ["one two"]);
    expect(brain.expectation).toMatchObject({ kind: "digits", length: 4, keysMax: 6 });
  });

  it("are phone numbers too", async () => {
    const phone = ask("phone", { saveAs: "phone" });
    expect((await held([phone], ["five five five", "zero one zero zero"])).collected).toEqual({ phone: "5550100" });
  });
});

describe("what the rules do not understand", () => {
  const visit = ask("choice", {
    ...{ text: "Come, or cancel?", saveAs: "visit" },
    exits: [
      { when: "come", next: "bye" },
      { when: "cancel", next: "bye" },
    ],
  });
  const hours: FlowNode = { ...bye, id: "hours", text: "At nine.", global: { phrases: ["opening hours"] } } as FlowNode;
  const ranking = (scores: Readonly<Record<string, number>>): IntentRanker => ({
    name: "test",
    prepare: () => undefined,
    rank: async (_text, candidates) => candidates.map(({ id }) => ({ id, score: scores[id] ?? 0 })),
  });
  const asked = (ranker: IntentRanker) => held([visit, hours], ["you will see me there"], { ranker });

  it("is accepted when the ranker is sure", async () => {
    expect((await asked(ranking({ "exit:0": 0.8, "exit:1": 0.3 }))).collected).toEqual({ visit: "come" });
  });

  it("is asked about when two are close", async () => {
    expect((await asked(ranking({ "exit:0": 0.7, "exit:1": 0.65 }))).replies).toEqual([
      "Sorry, do you mean that you'd like to come, or that you'd like to cancel?",
    ]);
  });

  it("is read back when it is close, but not close enough", async () => {
    expect((await asked(ranking({ "exit:0": 0.55, "exit:1": 0.2 }))).replies).toEqual([
      "Just to be sure: you'd like to come. Is that right?",
    ]);
  });

  it("leads to a global node only when that is sure", async () => {
    expect((await asked(ranking({ "global:hours": 0.9 }))).replies).toEqual(["At nine."]);
    expect((await asked(ranking({ "global:hours": 0.6 }))).replies).toEqual([
      "Sorry, I didn't get that. Come, or cancel?",
    ]);
  });

  it("is not understood when nothing is close, or the ranker fails", async () => {
    const failing: IntentRanker = {
      name: "test",
      prepare: () => undefined,
      rank: async () => Promise.reject(new Error("gone")),
    };
    for (const ranker of [ranking({}), failing]) {
      expect((await asked(ranker)).replies).toEqual(["Sorry, I didn't get that. Come, or cancel?"]);
    }
  });

  it("is compared with phrases that the ranker received before the call began", () => {
    const told: string[] = [];
    const ranker: IntentRanker = { name: "test", prepare: (phrases) => told.push(...phrases), rank: async () => [] };
    openRig([visit, hours, bye, lost], { ranker });
    expect(told).toEqual(["come", "cancel", "opening hours"]);
  });

  it("is asked about when it is close to an answer, even if an uncertain request is closer", async () => {
    const scores = { "exit:0": 0.62, "exit:1": 0.3, "global:hours": 0.66 };
    expect((await asked(ranking(scores))).replies).toEqual(["Just to be sure: you'd like to come. Is that right?"]);
  });

  it("does not keep the callee waiting for a ranker that hangs", async () => {
    const stuck: IntentRanker = { name: "test", prepare: () => undefined, rank: () => new Promise(() => undefined) };
    const rig = openRig([visit, hours, bye, lost], { ranker: stuck });
    await hear(rig.brain, 1, null);
    const reply = listen(rig.brain, 2, said("you will see me there"));
    await rig.timers.advance(1000);
    await reply.over;
    expect(reply.text()).toBe("Sorry, I didn't get that. Come, or cancel?");
    expect(rig.timers.pendingTimers()).toBe(0);
    expect(rig.faults).toEqual([expect.objectContaining({ message: expect.stringContaining("within 500 ms") })]);
  });
});

describe("what recognition is given to expect", () => {
  it.each<[FlowNode, object]>([
    [ask("yes_no"), { kind: "yes_no", keysMax: 1, answers: expect.arrayContaining(["yes", "no"]) }],
    [
      ask("number", { range: { min: 1, max: 5 } }),
      { kind: "number", keysMax: 1, answers: ["one", "two", "three", "four", "five"] },
    ],
    [
      ask("choice", { exits: [{ when: "red", next: "bye", phrases: ["the red one"] }] }),
      { kind: "choice", keysMax: 1, answers: ["red", "the red one"] },
    ],
    [ask("free_text", { patience: "patient" }), { kind: "free_text", answers: [], keysMax: null }],
    [ask("email"), { kind: "email", keysMax: null }],
  ])("%#", async (node, expectation) => {
    const { brain } = openRig([node, bye, lost]);
    expect(brain.expectation.kind).toBe("nothing");
    await talk(brain, []);
    expect(brain.expectation).toMatchObject(expectation);
  });

  it("follows the current doubt and the patience of the node", async () => {
    const { brain } = openRig([ask("date", { confirm: {}, patience: "patient" }), bye, lost]);
    await talk(brain, ["Thursday"]);
    expect(brain.expectation.kind).toBe("yes_no");
    expect(brain.expectation.settings["freeSpeechHoldMinMs"]).toBeGreaterThan(500);
  });
});

describe("what may be said next", () => {
  it("is the whole opening before the call, and then the beginning of what each answer leads to", async () => {
    const hello: FlowNode = { id: "hello", type: "say", text: "Hello Ada, the dentist calls.", next: "q" };
    const yes: FlowNode = { id: "yes", type: "end", text: "Wonderful. See you." };
    const question = ask("yes_no", { exits: [{ when: "yes", next: "yes" }] });
    const { brain } = openRig([hello, question, yes, bye, lost]);
    expect(brain.likelyClauses()).toEqual(["Hello Ada,", "the dentist calls.", "Well?"]);
    await talk(brain, []);
    expect(brain.likelyClauses()).toEqual([
      "Wonderful.",
      "Goodbye.",
      "We will write to you.",
      "Sorry, I didn't get that.",
    ]);
  });
});

describe("being interrupted and taking turns back", () => {
  const day = ask("date", { id: "day", text: "Which day would suit you?", saveAs: "day", next: "sure" });
  const sure = ask("yes_no", { id: "sure", text: "Do you want a reminder?", saveAs: "sure" });

  it("a turn that is taken back leaves everything as it was", async () => {
    const { brain } = openRig([day, sure, bye, lost]);
    await hear(brain, 1, null);
    const before = brain.expectation;
    const reply = listen(brain, 2, said("Tuesday"));
    await promisesSettle();
    reply.cut("");
    brain.undo(2);
    expect(brain.expectation).toEqual(before);
    const again = await hear(brain, 3, said("Tuesday, no, Thursday"));
    expect(again.parts).toContainEqual({ type: "collected", name: "day", value: "2026-03-05" });
    expect(again.parts.filter(({ type }) => type === "collected")).toHaveLength(1);
  });

  it("a yes to a question that was cut off before it began is not treated as its answer", async () => {
    const { brain } = openRig([day, sure, bye, lost]);
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("Tuesday"));
    await promisesSettle();
    reply.cut("");
    expect((await hear(brain, 3, said("yes"))).text()).toBe("Do you want a reminder?");
    expect((await hear(brain, 4, said("yes"))).text()).toBe("Goodbye.");
  });

  it("a yes to a question that was cut off near its end is", async () => {
    const { brain } = openRig([day, sure, bye, lost]);
    await hear(brain, 1, null);
    const reply = listen(brain, 2, said("Tuesday"));
    await promisesSettle();
    reply.cut("Do you want a");
    expect((await hear(brain, 3, said("yes"))).text()).toBe("Goodbye.");
  });

  it("collected values are reported even if no one listened to the reply", async () => {
    const { brain } = openRig([day, sure, bye, lost]);
    await hear(brain, 1, null);
    const ignored = new AbortController();
    brain.reply(2, said("Tuesday"), ignored.signal);
    ignored.abort();
    brain.noteHeard(2, { text: "", wasCut: true });
    const next = await hear(brain, 3, said("Yes please, a reminder would be good"));
    expect(next.parts).toContainEqual({ type: "collected", name: "day", value: "2026-03-03" });
  });

  it("events of a reply that is over change nothing", async () => {
    const { brain } = openRig([day, sure, bye, lost]);
    await hear(brain, 1, null);
    await hear(brain, 2, said("Tuesday"));
    const { expectation } = brain;
    brain.noteHeard(1, { text: "Which", wasCut: true });
    brain.undo(99);
    expect(brain.expectation).toEqual(expectation);
  });
});

describe("a lone bye while an answer is expected", () => {
  const rating: FlowNode = {
    ...{ id: "rating", type: "ask", text: "From one to five?", answer: "number", range: { min: 1, max: 5 } },
    ...{ saveAs: "rating", exits: [], next: "bye", otherwise: "lost" },
  };
  const heard = (score: number) =>
    ({ type: "said", text: "Bye.", best: { answer: "five", score, margin: score } }) as const;

  it("is the answer that it clearly sounds like", async () => {
    const { brain } = openRig([rating, bye, lost]);
    await hear(brain, 1, null);
    const reply = await hear(brain, 2, heard(0.9));
    expect(reply.parts).toContainEqual({ type: "collected", name: "rating", value: 5 });
  });

  it("is read back when it sounds a little like an answer", async () => {
    const { brain } = openRig([rating, bye, lost]);
    await hear(brain, 1, null);
    expect((await hear(brain, 2, heard(0.6))).text()).toBe("That's five, is that right?");
  });

  it("is asked about the first time, and believed the second time", async () => {
    const { brain } = openRig([rating, bye, lost]);
    await hear(brain, 1, null);
    expect((await hear(brain, 2, said("Bye."))).text()).toBe("Sorry, I didn't get that. From one to five?");
    expect((await hear(brain, 3, said("Bye."))).parts).toContainEqual({ type: "end", reason: "finished" });
  });

  it("is a goodbye when more is said", async () => {
    const { brain } = openRig([rating, bye, lost]);
    await hear(brain, 1, null);
    expect((await hear(brain, 2, said("Okay, bye bye."))).parts).toContainEqual({ type: "end", reason: "finished" });
  });
});

describe("a no", () => {
  const exits = [
    { when: "yes", next: "kept" },
    { when: "no", next: "refused" },
  ];
  const ends: FlowNode[] = [
    { id: "kept", type: "end", text: "Kept." },
    { id: "refused", type: "end", text: "Refused." },
    { id: "lost", type: "end", text: "Lost." },
  ];
  const home: FlowNode[] = [
    { id: "home", type: "ask", text: "Will anyone be in?", answer: "yes_no", saveAs: "home", exits, otherwise: "lost" },
    ...ends,
  ];

  it.each(["Nobody.", "no one at all", "Not a soul", "none of us", "not at the moment"])(
    "can be said without the word: %s",
    async (line) => {
      const { collected } = await talk(openRig(home).brain, [line]);
      expect(collected["home"]).toBe(false);
    },
  );

  it.each([
    ["No, nobody.", false],
    ["no no one will be in", false],
    ["nobody", false],
    ["No, I said yes", true],
  ])("with more words answers the question and not whether it was understood: %s", async (line, value) => {
    const { replies, collected } = await talk(openRig(home).brain, ["I suppose there might not be", line]);
    expect(replies[1]).toMatch(/was that a (?:yes|no)/);
    expect(collected["home"]).toBe(value);
  });

  it.each(["No.", "That's not right"])("by itself opens the question again: %s", async (line) => {
    const { replies, collected } = await talk(openRig(home).brain, ["I suppose there might not be", line]);
    expect(replies.at(-1)).toContain("Will anyone be in?");
    expect(collected).not.toHaveProperty("home");
  });

  const rating: FlowNode[] = [
    {
      id: "may",
      type: "ask",
      text: "May I ask you something?",
      answer: "yes_no",
      saveAs: "may",
      exits,
      otherwise: "lost",
    },
    {
      id: "kept",
      type: "ask",
      text: "How many stars?",
      answer: "number",
      saveAs: "stars",
      exits: [],
      next: "done",
      otherwise: "lost",
    },
    { id: "done", type: "end", text: "Done." },
    ...ends.slice(1),
  ];

  it.each(["No, thank you", "no thanks", "No.", "no I'd rather not"])(
    "to a number declines that question and takes back no earlier answer: %s",
    async (line) => {
      const { replies, collected } = await talk(openRig(rating).brain, ["yes", line]);
      expect(collected).toEqual({ may: true });
      expect(replies.at(-1)).toContain("How many stars?");
    },
  );

  it("that names what it refuses takes back the earlier answer", async () => {
    const { collected } = await talk(openRig(rating).brain, ["yes", "No, I don't want you to ask me something"]);
    expect(collected["may"]).toBe(false);
  });
});

describe("a callee who asks how much it is", () => {
  const due: FlowNode[] = [
    { id: "told", type: "say", text: "A payment {{amount}} is due.", next: "pay" },
    {
      id: "pay",
      type: "ask",
      text: "Will you pay today?",
      answer: "yes_no",
      exits: [],
      next: "done",
      otherwise: "done",
    },
    { id: "done", type: "end", text: "Done." },
  ];
  const HOW_MUCH = "Sorry, how much is it?";

  it.each([
    ["of eighty dollars", "It's eighty dollars."],
    ["of $80", "It's eighty dollars."],
    ["of $12.50", "It's twelve dollars and fifty cents."],
  ])("hears an amount %s that was named before", async (amount, answer) => {
    const { replies } = await talk(openRig(due, { variables: { amount, due_date: "Friday" } }).brain, [HOW_MUCH]);
    expect(replies.at(-1)).toBe(`${answer} Will you pay today?`);
  });

  it("hears in full a price that was said short", async () => {
    const [, ...rest] = due;
    const nodes: FlowNode[] = [{ id: "told", type: "say", text: "The ticket costs {{price}}.", next: "pay" }, ...rest];
    const { replies } = await talk(openRig(nodes, { variables: { price: "$12.50" } }).brain, [HOW_MUCH]);
    expect(replies[0]).toContain("The ticket costs twelve fifty.");
    expect(replies.at(-1)).toBe("It's twelve dollars and fifty cents. Will you pay today?");
  });

  it("does not hear an amount that the flow has not named", async () => {
    const { replies } = await talk(openRig(due.slice(1), { variables: { amount: "eighty dollars" } }).brain, [
      HOW_MUCH,
    ]);
    expect(replies.at(-1)).toContain("I don't have that information");
  });

  it("hears the flow's own answer if it has one", async () => {
    const settings = { disclosure: null, phrases: { how_much: "Our office will tell you." } };
    const rig = openRig(due, { variables: { amount: "of eighty dollars" }, settings });
    expect((await talk(rig.brain, [HOW_MUCH])).replies.at(-1)).toContain("Our office will tell you.");
  });
});
