import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it } from "vitest";
import type { AnswerJudge } from "../ports/answer-judge.ts";
import { openRig } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

function ask(id: string, answer: AskNode["answer"], fields: Partial<AskNode>): FlowNode {
  return { id, type: "ask", text: `${id}?`, answer, exits: [], saveAs: id, otherwise: "end", ...fields };
}

const END: FlowNode = { id: "end", type: "end", text: "Goodbye." };

/** Moves an appointment and reads it back at the end. Today is Monday, March 2. */
const MOVE: FlowNode[] = [
  ask("decision", "choice", {
    text: "Will you come, or would you rather come another day?",
    exits: [
      { when: "I will come", next: "end", phrases: ["yes"] },
      { when: "another day", next: "day", phrases: ["move it"] },
    ],
  }),
  ask("day", "date", { text: "Which day would suit you?", next: "time" }),
  ask("time", "time", { text: "And at what time?", next: "check" }),
  {
    id: "check",
    type: "ask",
    text: "So that is {{day}} at {{time}}. Is that right?",
    answer: "yes_no",
    exits: [
      { when: "yes", next: "end" },
      { when: "no", next: "day" },
    ],
    otherwise: "end",
  },
  END,
];

const PAY: FlowNode[] = [
  ask("decision", "choice", {
    text: "Can you pay?",
    exits: [
      { when: "pay soon", next: "date", phrases: ["I will pay", "yes"] },
      { when: "no", next: "end" },
    ],
  }),
  ask("date", "date", { text: "On which day will you pay?", next: "end" }),
  END,
];

const hold = (nodes: FlowNode[], lines: readonly string[]) => talk(openRig(nodes).brain, lines);

describe("what the callee says without being asked", () => {
  it("is read back instead of asked for", async () => {
    const held = await hold(PAY, ["I will pay on Friday.", "Yes."]);
    expect(held.replies[1]).toBe("That's Friday, March sixth, is that right?");
    expect(held.collected).toMatchObject({ decision: "pay soon", date: "2026-03-06" });
    expect(held.ended).toBe("finished");
  });

  it("is asked for after all when it was not right", async () => {
    const held = await hold(PAY, ["I will pay on Friday.", "No.", "On Saturday."]);
    expect(held.replies[2]).toBe("Sorry about that. On which day will you pay?");
    expect(held.collected).toMatchObject({ date: "2026-03-07" });
  });

  it("can be corrected when it is read back", async () => {
    const held = await hold(PAY, ["I will pay on Friday.", "No, make it Thursday."]);
    expect(held.collected).toMatchObject({ date: "2026-03-05" });
  });

  it("fills the day and the time, which the flow reads back once", async () => {
    const held = await hold(MOVE, ["Another day please, the third of December at ten fifteen.", "Yes."]);
    expect(held.replies[1]).toBe("So that is Thursday, December third at ten fifteen A M. Is that right?");
    expect(held.collected).toMatchObject({ day: "2026-12-03", time: "10:15" });
  });

  it.each([
    "Thursday the twelfth at three.",
    "March twelfth at three pm.",
    "The twenty-sixth at three.",
    "At three on the nineteenth.",
  ])("fills the time that is said with a date: %s", async (line) => {
    const held = await hold(MOVE, ["Another day.", line]);
    expect(held.collected).toMatchObject({ time: "15:00" });
    expect(held.replies.at(-1)).toMatch(/^So that is .* at three P M/);
  });

  it("fills the day that would be better", async () => {
    const held = await hold(MOVE, ["Another day, Friday would be better.", "At noon."]);
    expect(held.replies[1]).toBe("And at what time?");
    expect(held.collected).toMatchObject({ day: "2026-03-06" });
  });

  it("fills the time that is said with the day", async () => {
    const held = await hold(MOVE, ["Another day.", "Friday at three."]);
    expect(held.replies[2]).toBe("So that is Friday, March sixth at three P M. Is that right?");
  });

  it("is asked about where it may be either of two days", async () => {
    const held = await hold(MOVE, ["Another day, next Tuesday.", "The second one.", "At three."]);
    expect(held.replies[1]).toMatch(/^Sorry, did you say Tuesday, March tenth, or Tuesday, March third/);
    expect(held.collected).toMatchObject({ day: "2026-03-03", time: "15:00" });
  });

  it.each(["Another day, but not Friday.", "Another day. If I am back on Friday, I will see."])(
    "is not a fact when it is denied or conditional: %s",
    async (line) => {
      const held = await hold(MOVE, [line]);
      expect(held.collected).not.toHaveProperty("day");
      expect(held.replies.at(-1)).not.toContain("March");
    },
  );

  it.each([
    "Do you have anything on Thursday, another day would be better.",
    "Another day please. Is there anything free on Thursday?",
    "Have you got another day, say Thursday?",
  ])("is read back when it was proposed in a question: %s", async (line) => {
    // Whether another day is wanted is read back first, then the day.
    const held = await hold(MOVE, [line, "Yes.", "Yes.", "At noon."]);
    expect(held.replies[2]).toBe("That's Thursday, March fifth, is that right?");
    expect(held.collected).toMatchObject({ day: "2026-03-05" });
  });

  it("keeps a proposal while what it is for is read back", async () => {
    const held = await hold(MOVE, ["What about another day, like Friday at nine?", "Yes.", "Yes.", "Yes."]);
    expect(held.replies.slice(1).join(" ")).toContain("Friday, March sixth");
    expect(held.replies.slice(1).join(" ")).not.toContain("Which day");
  });

  it.each([
    ["No, leave it with the neighbor. Give it to Tom next door.", "Which neighbor?", "Tom"],
    ["No, but my cleaner Mrs Kowalski could take it.", "Who can take it instead?", "Mrs Kowalski"],
    ["No, my sister will be there.", "Who will be there?", "my sister"],
    ["No, my neighbor Luis will open the door.", "Who will open the door?", "my neighbor Luis"],
    ["No. This is Robert Byron, her son.", "May I have your name?", "Robert Byron"],
  ])("names a person who is asked for later: %s", async (line, text, person) => {
    const nodes: FlowNode[] = [
      ask("home", "yes_no", { text: "Will you be at home?", exits: [], next: "who" }),
      ask("who", "free_text", { text, next: "end" }),
      END,
    ];
    const held = await hold(nodes, [line, "Yes."]);
    expect(held.collected).toMatchObject({ home: false, who: person });
  });

  it.each([
    ["No, on Friday.", "Who will be there?"],
    ["No, my wife is ill.", "What is your name?"],
    ["No, I'm going to Boston.", "Which day suits you?"],
  ])("takes no other word for a person: %s", async (line, text) => {
    const nodes: FlowNode[] = [
      ask("home", "yes_no", { text: "Will you be at home?", exits: [], next: "who" }),
      ask("who", "free_text", { text, next: "end" }),
      END,
    ];
    const held = await hold(nodes, [line]);
    expect(held.collected).not.toHaveProperty("who");
    expect(held.replies.at(-1)).toBe(text);
  });

  it("names a person only when it is clearly the one asked for", async () => {
    const nodes: FlowNode[] = [
      ask("place", "choice", {
        text: "Where should we leave it?",
        exits: [
          { when: "with a neighbor", next: "neighbor", phrases: ["my neighbor"] },
          { when: "at the door", next: "end" },
        ],
      }),
      ask("neighbor", "free_text", { text: "Which neighbor?", next: "end" }),
      END,
    ];
    const told = await hold(nodes, ["With my neighbor Mrs Patterson.", "Yes.", "Yes."]);
    expect(told.collected).toMatchObject({ neighbor: "Mrs Patterson" });
    const asked = await hold(nodes, ["With my neighbor please."]);
    expect(asked.replies[1]).toBe("Which neighbor?");
  });

  it("is used once", async () => {
    const held = await hold(MOVE, ["Another day, Friday at three.", "No."]);
    expect(held.replies[2]).toBe("Which day would suit you?");
  });
});

describe("a read-back of the flow", () => {
  const before = ["Another day.", "Friday.", "At three."];

  it.each([
    ["No, four.", { day: "2026-03-06", time: "16:00" }, "So that is Friday, March sixth at four P M. Is that right?"],
    ["Make it Thursday.", { day: "2026-03-05", time: "15:00" }, "So that is Thursday, March fifth at three P M."],
    ["No, Saturday at ten.", { day: "2026-03-07", time: "10:00" }, "So that is Saturday, March seventh at ten A M."],
    ["The seventh, not the sixth.", { day: "2026-03-07", time: "15:00" }, "So that is Saturday, March seventh"],
  ])("changes just what is corrected: %s", async (line, collected, reply) => {
    const held = await hold(MOVE, [...before, line]);
    expect(held.collected).toMatchObject(collected);
    expect(held.replies.at(-1)).toContain(reply);
    expect((await hold(MOVE, [...before, line, "Yes."])).ended).toBe("finished");
  });

  it("is confirmed by a yes that repeats it", async () => {
    expect((await hold(MOVE, [...before, "Yes, Friday at three."])).ended).toBe("finished");
  });
});

describe("part of a day or a time", () => {
  it("is asked for precisely, and the rest is interpreted within it", async () => {
    const held = await hold(MOVE, [
      "Another day.",
      "Some time in December.",
      "The tenth.",
      "In the morning.",
      "At nine.",
    ]);
    expect(held.replies[2]).toBe("Which day in December?");
    expect(held.replies[4]).toBe("What time in the morning?");
    expect(held.collected).toMatchObject({ day: "2026-12-10", time: "09:00" });
  });

  it("is asked for between two times", async () => {
    const held = await hold(MOVE, ["Another day.", "Friday.", "Between two and four.", "Three."]);
    expect(held.replies[3]).toBe("What time between two P M and four P M?");
    expect(held.collected).toMatchObject({ time: "15:00" });
  });
});

/** Books a room, and reads everything back at the end. */
const HOTEL: FlowNode[] = [
  ask("arrival", "date", { text: "On which day will you arrive?", next: "departure" }),
  ask("departure", "date", { text: "And on which day will you leave?", next: "adults" }),
  ask("adults", "number", { text: "How many adults are coming?", next: "children" }),
  ask("children", "number", { text: "And how many children?", next: "room" }),
  ask("room", "choice", {
    text: "Would you like a room to the street or to the garden?",
    exits: [
      { when: "street side", next: "check", phrases: ["to the street"] },
      { when: "garden side", next: "check", phrases: ["to the garden", "garden view"] },
    ],
  }),
  {
    id: "check",
    type: "ask",
    text: "From {{arrival}} to {{departure}}, {{adults}} adults and {{children}} children. Is that right?",
    answer: "yes_no",
    exits: [
      { when: "yes", next: "end" },
      { when: "no", next: "arrival" },
    ],
    otherwise: "end",
  },
  END,
];

describe("a hotel", () => {
  it("understands two days, two numbers and the room in one sentence", async () => {
    const held = await hold(HOTEL, [
      "From the third to the seventh of December, two adults and three children, garden view.",
      "Yes.",
      "Yes.",
      "Yes.",
      "Yes.",
      "Yes.",
    ]);
    expect(held.collected).toEqual({
      arrival: "2026-12-03",
      departure: "2026-12-07",
      adults: 2,
      children: 3,
      room: "garden side",
    });
    expect(held.replies.join(" ")).not.toContain("which day will you leave");
    expect(held.replies.join(" ")).not.toContain("how many children");
  });

  it("asks for what was not said", async () => {
    const held = await hold(HOTEL, ["The third of December.", "The seventh."]);
    expect(held.replies[1]).toBe("And on which day will you leave?");
    expect(held.replies[2]).toBe("How many adults are coming?");
  });
});

/** A courier: what is said about the parcel, the place and the reason. */
const COURIER: FlowNode[] = [
  ask("plan", "choice", {
    text: "Shall we deliver it today, or keep it at the depot?",
    exits: [
      { when: "deliver it", next: "where", phrases: ["bring it", "leave it"] },
      { when: "keep it at the depot", next: "why", phrases: ["keep it"] },
    ],
  }),
  ask("where", "free_text", { text: "Where should the driver leave it?", next: "end" }),
  ask("why", "free_text", { text: "What is the reason?", next: "end" }),
  END,
];

describe("a courier", () => {
  it("understands the place along with the request", async () => {
    const held = await hold(COURIER, ["Leave it behind the garden shed.", "Yes.", "Yes."]);
    expect(held.collected).toMatchObject({ plan: "deliver it", where: "behind the garden shed" });
  });

  it("understands the reason along with the request", async () => {
    const held = await hold(COURIER, ["Keep it at the depot because we are away until Sunday.", "Yes.", "Yes."]);
    expect(held.collected).toMatchObject({ why: "because we are away until Sunday" });
  });

  it("asks for a place if none was named", async () => {
    const held = await hold(COURIER, ["Bring it."]);
    expect(held.replies[1]).toBe("Where should the driver leave it?");
  });
});

/** A plumber takes a name and a number, and reads both back. */
const PLUMBER: FlowNode[] = [
  ask("name", "name", { text: "What is your name?", next: "phone" }),
  ask("phone", "phone", { text: "On which number can the plumber reach you?", next: "check" }),
  {
    id: "check",
    type: "ask",
    text: "{{name}}, {{phone}}. Is that right?",
    answer: "yes_no",
    exits: [
      { when: "yes", next: "end" },
      { when: "no", next: "name" },
    ],
    otherwise: "end",
  },
  END,
];
const GIVEN = ["Marta Novak.", "Two one two, five five five, oh one four three."];

describe("what was read back", () => {
  it.each([
    ["No, four five at the end.", { name: "Marta Novak", phone: "2125550145" }],
    ["No, my name is Marta Nowak.", { name: "Marta Nowak", phone: "2125550143" }],
    ["No, it's six four six, five five five, oh one nine nine.", { name: "Marta Novak", phone: "6465550199" }],
  ])("is corrected by just what is wrong: %s", async (line, collected) => {
    const held = await hold(PLUMBER, [...GIVEN, line]);
    expect(held.collected).toMatchObject(collected);
    expect(held.replies.at(-1)).toMatch(/Is that right\?$/);
  });

  it("can be corrected even if a single answer is read back", async () => {
    const nodes = [ask("code", "digits", { text: "What is your six-digit code?", confirm: {}, next: "end" }), END];
    const held = await hold(nodes, ["four eight two nine one six", "No, one seven at the end.", "Yes."]);
    expect(held.collected).toMatchObject({ code: "482917" });
  });

  it("is dictated over several turns", async () => {
    const held = await hold(PLUMBER, [
      "Marta Novak.",
      "two one two, five five five",
      "oh one, no, oh two four three",
      "Yes.",
    ]);
    expect(held.replies[2]).toBe("Yes, please go on.");
    expect(held.collected).toMatchObject({ phone: "2125550243" });
  });
});

describe("what the callee has refused to confirm", () => {
  it("is not kept, as far as it is asked for again", async () => {
    const held = await hold(MOVE, ["Another day.", "Friday at three.", "No."]);
    expect(held.replies.at(-1)).toBe("Which day would suit you?");
    expect(held.collected).toEqual({ decision: "another day", day: null, time: null });
    const given = await hold(MOVE, ["Another day.", "Friday at three.", "No.", "Thursday at two.", "Yes."]);
    expect(given.collected).toMatchObject({ day: "2026-03-05", time: "14:00" });
  });

  it("stays where the flow goes on with it", async () => {
    const nodes = MOVE.map((node) =>
      node.id === "check" && node.type === "ask"
        ? { ...node, exits: node.exits.map((exit) => (exit.when === "no" ? { ...exit, next: "time" } : exit)) }
        : node,
    );
    const held = await hold(nodes, ["Another day.", "Friday at three.", "No."]);
    expect(held.collected).toMatchObject({ day: "2026-03-06", time: null });
    const given = await hold(nodes, ["Another day.", "Friday at three.", "No.", "At two."]);
    expect(given.replies.at(-1)).toBe("So that is Friday, March sixth at two P M. Is that right?");
  });

  const CANCEL: FlowNode[] = [
    ask("decision", "choice", {
      text: "Will you come, or shall we cancel it?",
      exits: [
        { when: "I will come", next: "end", phrases: ["yes"] },
        { when: "cancel", next: "sure", phrases: ["cancel it"] },
      ],
    }),
    ask("sure", "yes_no", {
      text: "Do you really want to cancel?",
      saveAs: undefined,
      exits: [
        { when: "yes", next: "end" },
        { when: "no", next: "decision" },
      ],
    }),
    END,
  ];

  it("includes the answer that led to the question whether it was meant", async () => {
    const held = await hold(CANCEL, ["Cancel it.", "Not yet."]);
    expect(held.replies.at(-1)).toBe("Will you come, or shall we cancel it?");
    expect(held.collected).toEqual({ decision: null });
    expect((await hold(CANCEL, ["Cancel it.", "Yes."])).collected).toEqual({ decision: "cancel" });
    expect((await hold(CANCEL, ["Cancel it.", "Not yet.", "I will come."])).collected).toEqual({
      decision: "I will come",
    });
  });

  it("does not include an answer after which every call goes on the same way", async () => {
    const more: FlowNode[] = [
      ask("item", "choice", {
        text: "Tea or coffee?",
        exits: [
          { when: "tea", next: "all" },
          { when: "coffee", next: "all" },
        ],
      }),
      ask("all", "yes_no", {
        text: "Is that all?",
        saveAs: undefined,
        exits: [
          { when: "yes", next: "end" },
          { when: "no", next: "item" },
        ],
      }),
      END,
    ];
    expect((await hold(more, ["Tea.", "No."])).collected).toEqual({ item: "tea" });
  });
});

describe("an agent that does not understand", () => {
  it("asks in other words each time, then offers the keys, and then goes where the flow sends it", async () => {
    const nodes: FlowNode[] = [
      ask("size", "choice", {
        text: "Which size would you like?",
        retries: { max: 2 },
        exits: [
          { when: "small", next: "end" },
          { when: "large", next: "end" },
        ],
        otherwise: "person",
      }),
      { id: "person", type: "say", text: "I'll have someone call you back.", next: "end" },
      END,
    ];
    const { replies, ended } = await hold(nodes, ["Purple monkeys.", "Purple monkeys.", "Purple monkeys."]);
    expect(new Set(replies).size).toBe(replies.length);
    expect(replies[2]).toContain("Press one for: small. Press two for: large.");
    expect(replies[3]).toBe("I'll have someone call you back. Goodbye.");
    expect(ended).toBe("finished");
  });
});

describe("an answer that is said once more", () => {
  const feeling = ask("feeling", "choice", {
    text: "Are you better, the same, or worse?",
    exits: [
      { when: "better", next: "questions", phrases: ["I am better", "I feel better"] },
      { when: "the same", next: "questions" },
      { when: "worse", next: "questions", phrases: ["I feel worse"] },
    ],
  });
  const questions = ask("questions", "yes_no", {
    text: "Do you have any questions?",
    exits: [
      { when: "yes", next: "noted" },
      { when: "no", next: "end" },
    ],
  });
  const noted: FlowNode = { id: "noted", type: "end", text: "Someone will call you." };
  /** A judge who is sure that everything means yes. */
  const judge: AnswerJudge = {
    name: "judge",
    judge: async ({ exits }) => ({ exits: exits.map((_, index) => (index === 0 ? 0.99 : 0)), none: 0 }),
  };

  it("is no answer to the next question, which is asked again", async () => {
    const { replies, parts } = await talk(openRig([feeling, questions, noted, END], { judge }).brain, [
      "I am better.",
      "I said I am better.",
      "No.",
    ]);
    expect(replies.slice(1, 3)).toEqual(["Do you have any questions?", "Do you have any questions?"]);
    const decided = parts.flatMap((part) => (part.type === "decided" ? [part.decision] : []));
    expect(decided[1]?.why?.map(({ says }) => says)).toContain("repeats the answer to feeling");
    expect(replies.at(-1)).toBe("Goodbye.");
  });

  it("counts as any other words the second time, and where another one is meant", async () => {
    const again = await talk(openRig([feeling, questions, noted, END], { judge }).brain, [
      ...["I am better.", "I am better.", "I am better."],
    ]);
    expect(again.replies.at(-1)).toBe("Someone will call you.");
    const other = await talk(openRig([feeling, questions, noted, END], { judge }).brain, [
      ...["I am better.", "I feel worse when I walk."],
    ]);
    expect(other.replies.at(-1)).toBe("Someone will call you.");
  });
});
