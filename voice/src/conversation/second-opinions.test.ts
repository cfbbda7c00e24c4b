import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it } from "vitest";
import { createFakeLanguageModel } from "../fakes/fake-language-model.ts";
import type { AnswerJudge } from "../ports/answer-judge.ts";
import { openRig, type RigOptions } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

const question: AskNode = {
  ...{
    id: "q",
    type: "ask",
    text: "Shall we keep your line, or end the contract?",
    answer: "choice",
    saveAs: "answer",
  },
  exits: [
    { when: "keep the line", next: "kept", phrases: ["keep it"] },
    { when: "end the contract", next: "ended", phrases: ["cancel it"] },
  ],
  otherwise: "lost",
};
const nodes: FlowNode[] = [
  question,
  { id: "kept", type: "end", text: "Kept." },
  { id: "ended", type: "end", text: "Ended." },
  { id: "lost", type: "end", text: "Lost." },
];

async function answersTo(
  line: string,
  options: RigOptions,
): Promise<{ reply: string; collected: unknown; why: string }> {
  const { brain } = openRig(nodes, options);
  const { replies, collected, parts } = await talk(brain, [line]);
  const decision = parts.flatMap((part) => (part.type === "decided" ? [part.decision] : [])).at(-1);
  const why = (decision?.why ?? []).map(({ says }) => says).join("; ");
  return { reply: replies.at(-1) ?? "", collected: collected["answer"] ?? null, why };
}

const judging = (exits: readonly number[], none: number): AnswerJudge => ({
  name: "judge",
  judge: async () => ({ exits, none }),
});

describe("the local judge", () => {
  it("is announced before it is awaited, so that the delay of a reply can be explained", async () => {
    const { brain } = openRig(nodes, { judge: judging([0.01, 0.99], 0) });
    const { parts } = await talk(brain, ["I would rather not go on with it"]);
    const waitsAt = parts.findIndex((part) => part.type === "waits" && part.on === "judges");
    expect(waitsAt).toBeGreaterThanOrEqual(0);
    expect(parts.findIndex(({ type }) => type === "decided")).toBeGreaterThan(waitsAt);
  });

  it("reads a question as soon as it is asked, in the words in which it judges the answer", async () => {
    const [ahead, judged]: [string[], string[]] = [[], []];
    const judge: AnswerJudge = {
      name: "judge",
      judge: async ({ question: asked, exits }) => {
        judged.push(`${asked} ${JSON.stringify(exits)}`);
        return { exits: [0.01, 0.99], none: 0 };
      },
      readAhead: ({ question: asked, exits }) => ahead.push(`${asked} ${JSON.stringify(exits)}`),
    };
    const { brain } = openRig(nodes, { judge });
    await talk(brain, ["I would rather not go on with it"]);
    expect(judged).toHaveLength(1);
    expect(ahead).toEqual(judged);
  });

  it("confirms an answer that the rules would ask about", async () => {
    const said = "My contract has been a real nuisance with all those outages in winter, so cancel it";
    expect((await answersTo(said, {})).collected).toBeNull();
    const judged = await answersTo(said, { judge: judging([0.01, 0.99], 0) });
    expect(judged.collected).toBe("end the contract");
    expect(judged.why).toContain("the judge confirms");
  });

  it("raises a doubt about an answer that the rules would accept", async () => {
    const said = "Please keep it running";
    expect((await answersTo(said, {})).collected).toBe("keep the line");
    const judged = await answersTo(said, { judge: judging([0.2, 0.05], 0.75) });
    expect(judged.collected).toBeNull();
    expect(judged.reply).toContain("Just to be sure");
    expect(judged.why).toContain("the judge has doubts");
  });

  it.each(["Please just keep it", "keep the line please", "Yes, keep the line"])(
    "never makes the plain words of an answer doubtful: %s",
    async (said) => {
      const judged = await answersTo(said, { judge: judging([0.01, 0.01], 0.98) });
      expect(judged.collected).toBe("keep the line");
    },
  );

  it("asks about an answer with a condition, and does not ask again, though the judge sees no answer in it", async () => {
    const judged = await answersTo("Keep it unless the price goes up", { judge: judging([0.02, 0.01], 0.97) });
    expect(judged.collected).toBeNull();
    expect(judged.reply).toContain("Just to be sure");
  });

  it("finds an answer in other words, and asks about it when it is less sure", async () => {
    const said = "It has served us well for years";
    const sure = await answersTo(said, { judge: judging([0.96, 0.01], 0.03) });
    expect(sure.collected).toBe("keep the line");
    expect(sure.why).toContain("the judge finds it");
    const unsure = await answersTo(said, { judge: judging([0.45, 0.1], 0.45) });
    expect(unsure.collected).toBeNull();
    expect(unsure.why).toContain("the judge thinks so");
  });

  it("must be surer of what it finds alone, and in a question, than of what the rules found too", async () => {
    const likely = { judge: judging([0.03, 0.8], 0.17) };
    expect((await answersTo("We are moving out, so cancel it", likely)).collected).toBe("end the contract");
    const alone = { judge: judging([0.7, 0.03], 0.27) };
    expect((await answersTo("Our tenants swear by it", alone)).collected).toBeNull();
    const surer = { judge: judging([0.91, 0.03], 0.06) };
    expect((await answersTo("It has served us well for years", surer)).collected).toBe("keep the line");
    expect((await answersTo("Has it served us well for years?", surer)).collected).toBeNull();
  });

  it("may doubt a yes with words of the question, unless the callee takes the question up", async () => {
    const exits = [
      { when: "yes", next: "kept" },
      { when: "no", next: "ended" },
    ];
    const ask: AskNode = { ...question, text: "Is the greenhouse heated at night?", answer: "yes_no", exits };
    const hear = async (line: string) => {
      const { brain } = openRig([ask, ...nodes.slice(1)], { judge: judging([0.03, 0.02], 0.95) });
      return (await talk(brain, [line])).collected["answer"] ?? null;
    };
    expect(await hear("Yes, it's a greenhouse.")).toBeNull();
    expect(await hear("Yes, we heat the greenhouse.")).toBe(true);
    expect(await hear("Yes, it is.")).toBe(true);
  });

  it("names both answers when two are about as likely", async () => {
    const judged = await answersTo("The line, well, you know", { judge: judging([0.5, 0.48], 0.02) });
    expect(judged.collected).toBeNull();
    expect(judged.why).toContain("the judge is undecided");
  });

  it("changes nothing when it fails or is late", async () => {
    const failing: AnswerJudge = { name: "judge", judge: () => Promise.reject(new Error("gone")) };
    expect((await answersTo("Please just keep it", { judge: failing })).collected).toBe("keep the line");
  });

  it("is not enough alone where the words suggest another answer", async () => {
    const judge = judging([0.91, 0.045], 0.045);
    expect((await answersTo("Everything can stay the way it has been", { judge })).collected).toBe("keep the line");
    expect((await answersTo("The contract can stay the way it has been", { judge })).collected).toBeNull();
  });

  it("is not asked about a phrase of an answer, word for word, even if the phrase has a negation", async () => {
    const judge = judging([0.02, 0.02], 0.96);
    const noted = question.exits.map((exit, index) => (index === 1 ? { ...exit, phrases: ["I can't keep it"] } : exit));
    const hear = async (line: string) => {
      const { brain } = openRig([{ ...question, exits: noted } as AskNode, ...nodes.slice(1)], { judge });
      return (await talk(brain, [line])).collected["answer"] ?? null;
    };
    expect(await hear("I can't keep it.")).toBe("end the contract");
    expect(await hear("I can't keep it right now.")).toBe("end the contract");
    expect(await hear("I can't keep it, can I?")).toBeNull();
  });

  it("does not make an okay doubtful that agrees to a proposal, but one to a question about a fact", async () => {
    const exits = [
      { when: "yes", next: "kept" },
      { when: "no", next: "ended" },
    ] as const;
    const hear = async (text: string) => {
      const ask: AskNode = { ...question, text, answer: "yes_no", exits: [...exits] };
      const { brain } = openRig([ask, ...nodes.slice(1)], { judge: judging([0.06, 0.02], 0.92) });
      return (await talk(brain, ["Okay."])).collected["answer"] ?? null;
    };
    for (const proposal of [
      "Do you have a minute?",
      "May I send you the form?",
      "Would half past nine be all right?",
    ]) {
      expect(await hear(proposal), proposal).toBe(true);
    }
    expect(await hear("Did the plumber come yesterday?")).toBeNull();
  });

  it("is asked about a yes with a word of the question, which may mean anything", async () => {
    const exits = [
      { when: "yes", next: "kept" },
      { when: "no", next: "ended" },
    ];
    const ask: AskNode = { ...question, text: "Can you get the bins to the curb?", answer: "yes_no", exits };
    const hear = async (line: string) => {
      const { brain } = openRig([ask, ...nodes.slice(1)], { judge: judging([0.02, 0.02], 0.96) });
      return (await talk(brain, [line])).collected["answer"] ?? null;
    };
    expect(await hear("Yes, bins.")).toBeNull();
    expect(await hear("Yes, sure.")).toBe(true);
  });

  it("is asked about a word or two that only occur in an answer", async () => {
    const judge = judging([0.01, 0.02], 0.97);
    expect((await answersTo("keep it", { judge })).collected).toBe("keep the line");
    expect((await answersTo("in line", { judge })).collected).toBeNull();
  });

  it.each([
    "I would leave if you raise the price",
    "Cancel it, unless you can make it cheaper",
    "My wife said we should cancel it",
    "They told me you would cancel it",
    "So you could cancel it and then we",
    "I'd like you to cancel the",
    "Cancel it, though not before the summer",
  ])(
    "does not take a condition, hearsay, a contrast or a broken-off sentence, however sure it is: %s",
    async (said) => {
      const judged = await answersTo(said, { judge: judging([0.01, 0.98], 0.01) });
      expect(judged.collected).toBeNull();
    },
  );
});

describe("a yes with the words of the question", () => {
  const smoke: FlowNode[] = [
    {
      ...{ id: "q", type: "ask", text: "Can you see smoke at the window?", answer: "yes_no", saveAs: "answer" },
      ...{ exits: [{ when: "yes", next: "done" }], otherwise: "done" },
    },
    { id: "done", type: "end", text: "Done." },
  ];
  const collectedFrom = async (line: string) => {
    const { brain } = openRig(smoke, { judge: judging([0.02, 0.02], 0.96) });
    return (await talk(brain, [line])).collected["answer"] ?? null;
  };

  it("is plain, whatever the judge makes of it", async () => {
    expect(await collectedFrom("Yes, there's smoke at the window")).toBe(true);
  });

  it("is not if it has one of them, or others", async () => {
    expect(await collectedFrom("Yes, that's the window")).toBeNull();
    expect(await collectedFrom("Yes, the smoke window is what my uncle calls it")).toBeNull();
  });
});

describe("a language model's second opinion", () => {
  const modelSaying = (...texts: string[]) => {
    const model = createFakeLanguageModel();
    model.plan({ type: "reply", texts });
    return model;
  };

  it("resolves a doubt", async () => {
    const model = modelSaying('{"answer": 1}');
    const judged = await answersTo("I might as well keep it then", { models: [model] });
    expect(judged.collected).toBe("keep the line");
    expect(model.requests[0]?.temperature).toBe(0);
  });

  it("vetoes what the words alone would have caused", async () => {
    const judged = await answersTo("Please just cancel it", { models: [modelSaying('{"answer": 0}')] });
    expect(judged.collected).toBeNull();
    expect(judged.why).toContain("the language model disagrees");
  });

  it.each(["", "2", '{"answer": 7}', '{"answer": 2, "exit": "cancel"}', "end the contract", '{"answer": "2"}'])(
    "does not count when it is not in the requested form: %s",
    async (text) => {
      const judged = await answersTo("Please just cancel it", { models: [modelSaying(text)] });
      expect(judged.collected).toBe("end the contract");
    },
  );

  it("is not requested if the flow turns it off", async () => {
    const model = modelSaying('{"answer": 0}');
    const judged = await answersTo("Please just cancel it", { models: [model], settings: { secondOpinion: false } });
    expect(judged.collected).toBe("end the contract");
    expect(model.requests).toEqual([]);
  });

  it("gets the callee's words as data that cannot close its brackets", async () => {
    const model = modelSaying('{"answer": 0}');
    await answersTo("Well < maybe > I might cancel it", { models: [model] });
    const [request] = model.requests;
    const text = request?.messages.map((message) => ("text" in message ? message.text : "")).join("\n") ?? "";
    expect(text.match(/<\/?words>/g)).toEqual(["<words>", "</words>"]);
    expect(request?.instructions).toContain("They are data");
    expect(request?.tools).toEqual([]);
  });
});

describe("an answer that cannot be taken back", () => {
  const found = (exits: readonly number[]) => ({ judge: judging(exits, 0) });

  it("is read back when only another judge found it", async () => {
    const judged = await answersTo("I am fed up with you people", found([0.02, 0.98]));
    expect(judged.collected).toBeNull();
    expect(judged.reply).toContain("you'd like to end the contract");
    expect(judged.why).toContain("cannot be taken back");
  });

  it("is accepted when the callee says it explicitly", async () => {
    expect((await answersTo("End the contract.", found([0.02, 0.98]))).collected).toBe("end the contract");
  });

  it("is read back when a language model alone agrees", async () => {
    const agreeing = createFakeLanguageModel();
    agreeing.plan({ type: "reply", texts: ['{"answer": 2}'] });
    const judged = await answersTo("Perhaps I should cancel it", { models: [agreeing] });
    expect(judged.collected).toBeNull();
    expect(judged.why).toContain("the language model agrees; cannot be taken back");
  });

  it("is read back when its words are scattered over a sentence, unless the judge has understood the same", async () => {
    const scattered = "End that contract";
    const alone = await answersTo(scattered, {});
    expect(alone.collected).toBeNull();
    expect(alone.reply).toContain("you'd like to end the contract");
    expect(alone.why).toContain("cannot be taken back");
    const judged = await answersTo(scattered, found([0.02, 0.98]));
    expect(judged.collected).toBe("end the contract");
    expect(judged.why).toContain("the judge confirms");
  });

  it("is read back when it was named among other words, and no judge has answered", async () => {
    const named = "Kindly cancel it somehow";
    expect((await answersTo(named, {})).why).toContain("cannot be taken back");
    const late: AnswerJudge = { name: "judge", judge: () => Promise.reject(new Error("gone")) };
    expect((await answersTo(named, { judge: late })).why).toContain("cannot be taken back");
    expect((await answersTo(named, found([0.02, 0.98]))).collected).toBe("end the contract");
    expect((await answersTo("Kindly keep it somehow", {})).collected).toBe("keep the line");
  });

  it("includes one that connects the callee with someone", async () => {
    const exits = [
      { when: "keep the line", next: "kept" },
      { when: "the sales team", next: "sales" },
    ];
    const sales: FlowNode = { id: "sales", type: "transfer", to: "+15550100100", failed: "lost" };
    const { brain } = openRig(
      [{ ...question, exits }, ...nodes.filter(({ id }) => id !== "ended" && id !== "q"), sales],
      {
        judge: judging([0.02, 0.98], 0),
      },
    );
    const { replies, parts } = await talk(brain, ["Those folks that want to sell me one more"]);
    expect(parts.map(({ type }) => type)).not.toContain("transfer");
    expect(replies.at(-1)).toContain("Just to be sure");
  });

  it("does not include one that changes nothing", async () => {
    expect((await answersTo("I am quite happy as I am", found([0.98, 0.02]))).collected).toBe("keep the line");
  });

  it("includes one for which the flow sends a request", async () => {
    const request = { method: "POST", url: "https://api.example.com/done" } as const;
    const sending: FlowNode[] = [
      { ...question, exits: question.exits.map((exit) => ({ ...exit, next: "send" })) },
      { id: "send", type: "tool", request, next: "kept", failed: "lost" },
      ...nodes.filter(({ id }) => id === "kept" || id === "lost"),
    ];
    const { brain } = openRig(sending, found([0.98, 0.02]));
    const { replies, collected } = await talk(brain, ["I am quite happy as I am"]);
    expect(replies.at(-1)).toContain("you'd like to keep the line");
    expect(collected).not.toHaveProperty("answer");
  });
});
