import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import type { AnswerJudge, CalleeRequest } from "../ports/answer-judge.ts";
import { CALLEE_REQUESTS } from "../ports/answer-judge.ts";
import { openRig, type RigOptions } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

const nodes: FlowNode[] = [
  {
    ...{
      id: "q",
      type: "ask",
      text: "Will you come on Tuesday?",
      answer: "yes_no",
      saveAs: "coming",
      otherwise: "over",
    },
    exits: [
      { when: "yes", next: "over" },
      { when: "no", next: "over" },
    ],
  },
  { id: "over", type: "end", text: "See you." },
];

async function replyTo(said: string, options: RigOptions = {}) {
  const settings = { disclosure: null, retries: { max: 2 }, identification: "This is Green Street Dental." };
  const { brain } = openRig(nodes, { settings, ...options });
  const { replies, ended, collected, parts } = await talk(brain, [said]);
  return { reply: replies.at(-1), ended, collected, isSuppressed: parts.some(({ type }) => type === "suppress") };
}

const QUESTION = "Will you come on Tuesday?";

/** What is said at any question and does not end the call: the answer, and the question again. */
const ANSWERED: readonly (readonly [request: CalleeRequest, answer: string, said: readonly string[]])[] = [
  [
    "insult",
    "I understand that this is annoying, and I'll keep it short.",
    ["You stupid machine.", "you useless piece of junk, you are an idiot", "Oh, shut up, you moron."],
  ],
  [
    "other_language",
    "I'm sorry, I only speak English.",
    [
      "No hablo inglés, solo español.",
      "Sorry, no speak English.",
      "Does anyone there speak Polish? I don't speak English.",
    ],
  ],
  [
    "scam",
    "I understand, it's good to be careful. I won't ask you for passwords, bank details or payments, and you can always call us back on our official number.",
    ["Is this a scam?", "How do I know you're legit?"],
  ],
  [
    "number_source",
    "Your number is in the records of the company I'm calling for.",
    ["Where did you get my number?", "Who gave you this number?"],
  ],
  ["how_long", "It only takes a minute.", ["How long will this take?", "Will this take long?"]],
  ["how_much", "I'm sorry, I don't have that information.", ["How much does it cost?", "What do I have to pay?"]],
  [
    "human",
    "I'm sorry, there is no one I can connect you with right now.",
    ["Let me talk to a real person.", "Can I speak to your manager?"],
  ],
  ["anybody_there", "Yes, I'm here.", ["Hello? Are you there?", "Hello, can you hear me?"]],
  ["speak_up", "Of course.", ["Speak up please.", "I can hardly hear you."]],
  ["slower", "Of course.", ["Slow down please.", "You're talking too fast."]],
  ["who_calls", "This is Green Street Dental.", ["Who is this?", "Where are you calling from?"]],
  ["why", "This is Green Street Dental.", ["Why are you calling?", "What is this about?"]],
  ["is_machine", "Yes, I'm an automated assistant, not a person.", ["Are you a robot?", "Am I talking to a machine?"]],
  ["repeat", "Of course.", ["What did you say?", "Could you repeat that?"]],
];

/** What ends the call. */
const ENDED: readonly (readonly [
  request: CalleeRequest,
  reply: string,
  said: readonly string[],
  collected?: Readonly<Record<string, string>>,
])[] = [
  [
    "child",
    "Thank you. I'll call again when a grown-up can come to the phone. Goodbye.",
    [
      "I'm only seven and mommy is in the shower.",
      "I'm just a kid.",
      "My mom is in the bath and I am six.",
      "I'm five and my daddy is at work.",
    ],
  ],
  [
    "wrong_number",
    "I'm sorry, I must have the wrong number. Goodbye.",
    ["You've got the wrong number.", "There's nobody called that here, never heard of her."],
  ],
  [
    "not_person",
    "Then I'm sorry to have disturbed you. Goodbye.",
    ["She's not here, this is her sister.", "You've got her husband."],
  ],
  [
    "deceased",
    "I'm so sorry for your loss. We won't call about this again. Goodbye.",
    ["He passed away last month.", "My mother has died."],
  ],
  [
    "driving",
    "Please keep your eyes on the road. I'll let them know that now is not a good time. Goodbye.",
    ["I'm driving.", "I'm behind the wheel right now."],
    { callback: "later" },
  ],
  [
    "call_later",
    "No problem. I've noted that you would like to be called later. Goodbye.",
    ["Call me back tomorrow at five."],
    { callback: "2026-03-03 17:00" },
  ],
  [
    "stop_calling",
    "I understand, and I'm sorry for the trouble. We won't call you again. Goodbye.",
    ["Stop calling me!", "Take my number off your list."],
  ],
  ["goodbye", "All right. Thank you, and goodbye.", ["Bye bye.", "I have to go, bye."]],
];

describe("what callees say at any question", () => {
  it("is all tested here", () => {
    const tested = [...ANSWERED, ...ENDED].map(([request]) => request);
    expect(new Set([...tested, "wait"])).toEqual(new Set(CALLEE_REQUESTS));
  });

  it.each(ANSWERED.flatMap(([request, answer, said]) => said.map((each) => [request, each, answer] as const)))(
    "is answered, and the question is asked again (%s): %s",
    async (_, said, answer) => {
      expect(await replyTo(said)).toEqual({
        reply: `${answer} ${QUESTION}`,
        ...{ ended: null, collected: {}, isSuppressed: false },
      });
    },
  );

  it.each(
    ENDED.flatMap(([request, reply, said, collected = {}]) =>
      said.map((each) => [request, each, reply, collected] as const),
    ),
  )("ends the call (%s): %s", async (request, said, reply, collected) => {
    const isSuppressed = request === "deceased" || request === "stop_calling";
    expect(await replyTo(said)).toEqual({ reply, ended: "finished", collected, isSuppressed });
  });

  it("is given time when a moment is asked for", async () => {
    expect(await replyTo("One moment please.")).toMatchObject({ reply: "Sure, take your time.", ended: null });
  });

  it("is no wish for a person where a classifier mistakes a refusal for one", async () => {
    const requests = Object.fromEntries(CALLEE_REQUESTS.map((name) => [name, name === "human" ? 0.99 : 0]));
    const judge: AnswerJudge = {
      name: "judge",
      judge: async () => ({ exits: [0, 0], none: 1 }),
      judgeRequest: async () => ({ requests: requests as Record<CalleeRequest, number>, none: 0.01 }),
    };
    const { reply } = await replyTo("Don't put me through to anybody.", { judge });
    expect(reply).not.toContain("no one I can connect you with");
    expect((await replyTo("I would prefer flesh and blood.", { judge })).reply).toContain(
      "no one I can connect you with",
    );
  });
});
