import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "../ports/language-model.ts";
import { openRig, type RigOptions } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

type Ask = Extract<FlowNode, { type: "ask" }>;

const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
const lost: FlowNode = { id: "lost", type: "end", text: "We will write to you." };

function ask(answer: Ask["answer"], fields: Partial<Ask> = {}): FlowNode {
  return { id: "q", type: "ask", text: "Well?", answer, exits: [], next: "bye", otherwise: "lost", ...fields };
}

const visit = ask("choice", {
  text: "Will you come, come another day, or cancel?",
  saveAs: "visit",
  exits: [
    { when: "I will come", next: "bye", phrases: ["yes"] },
    { when: "another day", next: "day" },
    { when: "cancel", next: "bye" },
  ],
});
const day: FlowNode = { ...ask("date", { text: "Which day?", saveAs: "day", next: "time" }), id: "day" };
const time: FlowNode = { ...ask("time", { text: "What time?", saveAs: "time", next: "booked" }), id: "time" };
const booked: FlowNode = { id: "booked", type: "end", text: "Until {{day}} at {{time}}." };

/** What the agent said to each line, after its opening. */
async function repliesTo(nodes: readonly FlowNode[], lines: readonly string[], options: RigOptions = {}) {
  return (await talk(openRig(nodes, options).brain, lines)).replies.slice(1);
}

describe("running a flow", () => {
  it("says, asks, collects values of their kinds, and ends", async () => {
    const held = await talk(openRig([visit, day, time, booked, bye, lost]).brain, [
      "I would rather come another day.",
      "On Thursday.",
      "At half past two.",
    ]);
    expect(held.replies).toEqual([
      "Will you come, come another day, or cancel?",
      "Which day?",
      "What time?",
      "Until Thursday, March fifth at two thirty P M.",
    ]);
    expect(held.collected).toEqual({ visit: "another day", day: "2026-03-05", time: "14:30" });
    expect(held.ended).toBe("finished");
  });

  it("evaluates conditions and calculations", async () => {
    const nodes: FlowNode[] = [
      ask("number", { saveAs: "guests", next: "count" }),
      { id: "count", type: "set", values: [{ saveAs: "chairs", value: "collected.guests + 1" }], next: "sort" },
      { id: "sort", type: "branch", exits: [{ when: "collected.chairs > 6", next: "big" }], otherwise: "bye" },
      { id: "big", type: "end", text: "That is {{chairs}} chairs." },
      bye,
      lost,
    ];
    expect(await repliesTo(nodes, ["six"])).toEqual(["That is seven chairs."]);
    expect(await repliesTo(nodes, ["two"])).toEqual(["Goodbye."]);
  });

  it("fills in the call's inputs, and leaves out the missing ones", async () => {
    const hello: FlowNode = { id: "hello", type: "say", text: "Hello {{name}}, you owe {{amount}}.", next: "bye" };
    const said = await talk(openRig([hello, bye], { variables: { name: "", amount: "$40" } }).brain, []);
    expect(said.replies).toEqual(["Hello, you owe forty dollars. Goodbye."]);
  });

  it("discloses once per call that a machine is speaking: after a greeting, or before a question", async () => {
    const hello: FlowNode = { id: "hello", type: "say", text: "Hello.", next: "q" };
    const greeted = openRig([hello, ask("yes_no"), bye, lost], { settings: { disclosure: "A machine speaks." } });
    expect((await talk(greeted.brain, ["what?"])).replies).toEqual([
      "Hello. A machine speaks. Well?",
      "Of course. Well?",
    ]);
    const asked = openRig([ask("yes_no"), bye, lost], { settings: { disclosure: "A machine speaks." } });
    expect((await talk(asked.brain, [])).replies).toEqual(["A machine speaks. Well?"]);
  });

  it("ends politely when a flow loops without asking anything", async () => {
    const nodes: FlowNode[] = [
      { id: "a", type: "say", text: "Again.", next: "b" },
      { id: "b", type: "branch", exits: [{ when: 'call.mode == "live"', next: "bye" }], otherwise: "a" },
      bye,
    ];
    expect((await talk(openRig(nodes).brain, [])).ended).toBe("engine_error");
  });

  it("says goodbye after the maximum number of turns", async () => {
    const rig = openRig([ask("date"), bye, lost], { settings: { limits: { turnsMax: 2 }, retries: { max: 5 } } });
    const held = await talk(rig.brain, ["bananas", "bananas", "bananas"]);
    expect(held.replies.at(-1)).toBe("All right. Thank you, and goodbye.");
    expect(held.ended).toBe("finished");
  });
});

describe("an answer that is not understood", () => {
  it("is asked for again as often as the flow says, then the call continues without it", async () => {
    expect(await repliesTo([ask("date"), bye, lost], ["bananas", "bananas", "bananas"])).toEqual([
      "Sorry, I didn't get that. Well?",
      "I'm sorry, I still didn't get that. Please say only the day, with its date if you know it.",
      "We will write to you.",
    ]);
    const never = { settings: { retries: { max: 0 } } };
    expect(await repliesTo([ask("date"), bye, lost], ["bananas"], never)).toEqual(["We will write to you."]);
  });

  it.each([
    ["date", "Please say only the day, with its date if you know it."],
    ["time", "Please say only the time, such as half past nine."],
    ["number", "Just the number is enough. You can also enter it with the keys of your phone."],
    ["name", "Please say only the name."],
  ] as const)("is asked for in other words every time: a %s", async (answer, form) => {
    const patient = { settings: { retries: { max: 4 } } };
    const hm = "I don't know";
    const replies = await repliesTo([ask(answer), bye, lost], [hm, hm, hm, hm], patient);
    expect(replies.slice(0, 2)).toEqual([
      "Sorry, I didn't get that. Well?",
      `I'm sorry, I still didn't get that. ${form}`,
    ]);
    expect(replies[2]).toMatch(/^Let's try it once more\. Well\?/);
    expect(new Set(replies.slice(0, 3)).size).toBe(3);
  });

  it("is asked for in its own words alone where the standard texts do not speak the language of the call", async () => {
    const polish = { settings: { retries: { max: 3 } }, language: "pl-PL" };
    const replies = await repliesTo([ask("date"), bye, lost], ["bananas", "bananas", "bananas"], polish);
    expect(replies.every((reply) => reply.endsWith("Well?"))).toBe(true);
  });

  it("is asked for in the flow's own words if it has any", async () => {
    const question = ask("date", { retries: { max: 2, texts: ["Please name a day."] } });
    expect(await repliesTo([question, bye, lost], ["bananas", "bananas"])).toEqual([
      "Please name a day.",
      "Please name a day.",
    ]);
  });

  it("may be given with keys, which are offered after the second time", async () => {
    const replies = await repliesTo([visit, day, time, booked, bye, lost], ["bananas", "bananas", "[3]"]);
    expect(replies[0]).not.toMatch(/press/i);
    expect(replies[1]).toContain("Press one for: I will come. Press two for: another day. Press three for: cancel.");
    expect(replies[2]).toBe("Goodbye.");
  });

  it("continues at otherwise immediately in a flow that defines no retries", async () => {
    const old = ask("choice", { exits: [{ when: "red", next: "bye" }] });
    const rig = openRig([old, bye, lost], { settings: { retries: { max: 0 } } });
    expect((await talk(rig.brain, ["bananas"])).replies.at(-1)).toBe("We will write to you.");
  });

  it("is asked for again twice when it could not be heard, however little the flow retries", async () => {
    const never = { settings: { retries: { max: 0 } } };
    expect(await repliesTo([ask("date"), bye, lost], ["[mumbles]", "[mumbles]", "[mumbles]"], never)).toEqual([
      "Sorry, I couldn't hear you well. Well?",
      "I'm sorry, I still can't hear you well. Well?",
      "We will write to you.",
    ]);
  });
});

describe("a callee who does not answer the question", () => {
  const question = ask("yes_no", { text: "Are you coming?", reworded: "Will we see you tomorrow?" });
  const nodes = [question, bye, lost];

  it.each([
    ["What?", "Of course. Will we see you tomorrow?"],
    ["Hello?", "Yes, I'm here. Are you coming?"],
    ["One moment, please.", "Sure, take your time."],
    ["Can I talk to a human?", "I'm sorry, there is no one I can connect you with right now. Are you coming?"],
    ["Are you a robot?", "Yes, I'm an automated assistant, not a person. Are you coming?"],
    ["Who is this?", "The dentist calls. Are you coming?"],
  ])("%s", async (line, reply) => {
    const settings = { identification: "The dentist calls.", disclosure: "I am an automated assistant." };
    expect(await repliesTo(nodes, [line], { settings })).toEqual([reply]);
  });

  it("hears it again in small pieces if there are no other words for it", async () => {
    const plain = ask("yes_no", { text: "Will you come on Tuesday at ten, or rather not?" });
    const { brain } = openRig([plain, bye, lost]);
    const { parts } = await talk(brain, ["Pardon?"]);
    const said = parts.flatMap((part) => (part.type === "say" ? [part.text] : []));
    expect(said.slice(-4)).toEqual(["Will you come", "on Tuesday", "at ten,", "or rather not?"]);
  });

  it("is asked whether they are still there, and the question again", async () => {
    const settings = { silence: { prompts: ["Are you there?", "I will hang up soon."] } };
    expect(await repliesTo(nodes, ["[silence]", "[silence]", "[silence]"], { settings })).toEqual([
      "Are you there? Are you coming?",
      "I will hang up soon. Are you coming?",
      "I will hang up soon. Are you coming?",
    ]);
  });

  it("is never called again when they ask for it, and is informed", async () => {
    const held = await talk(openRig(nodes).brain, ["Stop calling me!"]);
    expect(held.parts.some(({ type }) => type === "suppress")).toBe(true);
    expect(held.replies.at(-1)).toContain("We won't call you again. Goodbye.");
    expect(held.ended).toBe("finished");
  });

  it("may say goodbye", async () => {
    expect((await talk(openRig(nodes).brain, ["I have to go, bye."])).ended).toBe("finished");
  });
});

describe("a callee who asks what the agent cannot know", () => {
  const coming = ask("yes_no", {
    text: "Are you coming?",
    reworded: "Will you be there?",
    retries: { max: 3, texts: ["Yes or no?"] },
  });

  it("is told so, and asked again, never twice in the same words", async () => {
    const replies = await repliesTo(
      [coming, bye, lost],
      ["Is there parking behind the house?", "Which floor is it on?"],
    );
    expect(replies).toEqual([
      "I'm afraid I can't answer that. Will you be there?",
      "I don't know that either, I'm afraid. Are you coming?",
    ]);
  });

  it.each(["The parking behind the house.", "Parking?", "When I get home.", "What you told me before."])(
    "and one who does not ask is asked for a clear answer: %s",
    async (said) => {
      expect(await repliesTo([coming, bye, lost], [said])).toEqual(["Yes or no?"]);
    },
  );
});

describe("a callee who asks whether a machine is speaking", () => {
  const coming = ask("yes_no", { text: "Are you coming?" });
  const hear = async (machine: string) =>
    repliesTo([coming, bye, lost], ["Are you a robot?"], { settings: { phrases: { machine } } });

  it("hears the agent's own words if they say so", async () => {
    expect(await hear("I'm Emma, the computer of Green Street.")).toEqual([
      "I'm Emma, the computer of Green Street. Are you coming?",
    ]);
  });

  it("hears the standard sentence too if they do not, and alone if they deny it", async () => {
    const standard = "Yes, I'm an automated assistant, not a person. Are you coming?";
    expect(await hear("I'm Emma from Green Street.")).toEqual([`I'm Emma from Green Street. ${standard}`]);
    expect(await hear("No, I'm a real person.")).toEqual([standard]);
  });

  it.each([
    ["What a question.", "Yes, I'm an automated assistant, not a person. What a question. Are you coming?"],
    ["I'm a computer.", "I'm a computer. Are you coming?"],
  ])("hears it before what a global node says, unless the node says so: %s", async (text, reply) => {
    const who: FlowNode = {
      ...{ id: "who", type: "say", text },
      global: { phrases: ["are you a robot", "am I talking to a machine"], returns: true },
    };
    const nodes = [coming, who, bye, lost];
    expect(await repliesTo(nodes, ["Are you a robot?"])).toEqual([reply]);
    expect(await repliesTo(nodes, ["Is that a machine?"])).toEqual([reply]);
  });

  it.each([
    ["Is this a real person?", "Yes, I'm an automated assistant, not a person. Are you coming?"],
    ["Can I talk to a real person?", "I'll get someone."],
  ])("is not taken for one who wants a person: %s", async (said, reply) => {
    const person: FlowNode = { ...bye, id: "person", text: "I'll get someone.", global: { phrases: ["real person"] } };
    expect(await repliesTo([coming, person, bye, lost], [said])).toEqual([reply]);
  });

  it("hears it in a conversation too, whatever its model would say", async () => {
    const chat: FlowNode = {
      ...{ id: "chat", type: "conversation", text: "How can I help?", prompt: "Help.", model: "one" },
      ...{ exits: [{ when: "it is over", next: "bye" }], otherwise: "bye" },
    };
    const asked: string[] = [];
    const model: LanguageModel = {
      name: "one",
      async *reply({ messages }) {
        asked.push(JSON.stringify(messages.at(-1)));
        yield { type: "text", text: "Of course not." };
      },
    };
    const { replies } = await talk(openRig([chat, bye], { models: [model] }).brain, [
      "Are you a robot?",
      "What a day.",
    ]);
    expect(replies[1]).toBe("Yes, I'm an automated assistant, not a person.");
    expect(replies[2]).toBe("Of course not.");
    expect(asked).toHaveLength(1);
  });
});

describe("global nodes", () => {
  const hours: FlowNode = {
    ...{ id: "hours", type: "say", text: "We open at nine." },
    global: { phrases: ["when do you open", "opening hours"], returns: true },
  };
  const desk: FlowNode = {
    ...{ id: "desk", type: "end", text: "A colleague will call you." },
    global: { phrases: ["talk to a human", "human please"] },
  };
  const nodes = [ask("yes_no", { text: "Are you coming?" }), hours, desk, bye, lost];

  it("are reached from any question, and may return to it", async () => {
    expect(await repliesTo(nodes, ["When do you open?", "yes"])).toEqual([
      "We open at nine. Are you coming?",
      "Goodbye.",
    ]);
  });

  it("take precedence over the agent's built-in answers", async () => {
    expect(await repliesTo(nodes, ["I want to talk to a human"])).toEqual(["A colleague will call you."]);
  });

  it("do not catch a longer answer that only mentions their words", async () => {
    const comment = ask("free_text", { text: "What did you like?", saveAs: "comment" });
    const held = await talk(openRig([comment, desk, bye, lost]).brain, [
      "That I could talk to a human at the desk and did not have to wait.",
    ]);
    expect(held.replies.at(-1)).toBe("Goodbye.");
  });

  it("still suppress the number when they are about not being called", async () => {
    const never: FlowNode = {
      ...{ id: "never", type: "end", text: "As you wish." },
      global: { phrases: ["stop calling me"] },
    };
    const held = await talk(openRig([ask("yes_no"), never, bye, lost]).brain, ["Please stop calling me."]);
    expect(held.replies.at(-1)).toBe("As you wish.");
    expect(held.parts.filter(({ type }) => type === "suppress")).toHaveLength(1);
  });
});

describe("machines", () => {
  const nodes: FlowNode[] = [
    { id: "hello", type: "say", text: "Hello, the dentist calls.", next: "q" },
    ask("yes_no"),
    { id: "message", type: "voicemail", text: "Please call us back, {{name}}." },
    bye,
    lost,
  ];
  const machine = (kind: "voicemail" | "ivr" | "screening" | "fax") => ({ type: "machine", kind }) as const;

  it("hear the message for a voicemail, and nothing else", async () => {
    const rig = openRig(nodes, { variables: { name: "Ada" } });
    const held = await talk(rig.brain, [machine("voicemail")]);
    expect(held.replies.at(-1)).toBe("Please call us back, Ada.");
    expect(held.ended).toBe("voicemail_left");
  });

  it("are hung up on if there is no message, and so is a fax", async () => {
    const mute = [ask("yes_no"), bye, lost];
    expect((await talk(openRig(mute).brain, [machine("voicemail")])).ended).toBe("voicemail_hangup");
    expect((await talk(openRig(mute).brain, [machine("fax")])).ended).toBe("fax");
  });

  it("that screen calls hear who is calling, and the question stays open", async () => {
    const rig = openRig(nodes, { variables: { name: "Ada" } });
    const held = await talk(rig.brain, [machine("screening"), "yes"]);
    expect(held.replies.slice(1)).toEqual(["Hello, the dentist calls.", "Goodbye."]);
  });

  it("with a menu get their keys if the flow has any, and silence otherwise", async () => {
    const press: FlowNode = { id: "press", type: "dtmf", keys: "1#", next: "q" };
    const rig = openRig([ask("yes_no"), press, bye, lost], { settings: { phoneMenu: "press" } });
    const held = await talk(rig.brain, [machine("ivr")]);
    expect(held.parts).toContainEqual({ type: "press", keys: "1#" });
    expect(held.replies.at(-1)).toBe("Well?");
    const quiet = await talk(openRig([ask("yes_no"), bye, lost]).brain, [machine("ivr"), "yes"]);
    expect(quiet.replies.slice(1)).toEqual(["", "Goodbye."]);
  });
});
