import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import type { LanguageModel, ModelRequest } from "../ports/language-model.ts";
import { createTestToolCaller, openRig } from "./testing/flow-rig.ts";
import { ORDINARY_WORDS } from "./testing/ordinary-words.ts";
import { talk } from "./testing/talk.ts";

const end: FlowNode = { id: "over", type: "end", text: "Thank you." };
const cases = ORDINARY_WORDS.flatMap((each) => each.said.map((said) => ({ ...each, said })));

function askOf({ question, answer, exits }: (typeof cases)[number]): FlowNode {
  return {
    ...{ id: "q", type: "ask", text: question, answer, saveAs: "answer", next: "over", otherwise: "over" },
    exits: exits.map((when) => ({ when, next: "over" })),
  };
}

/** A careful model that finds no answer, and records what it reads. */
function careful(): LanguageModel & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: "careful",
    requests,
    async *reply(request) {
      requests.push(request);
      yield { type: "text", text: request.instructions.startsWith("You check") ? '{"answer": 0}' : "I see." };
    },
  };
}

describe("an answer that shares its words with commands to a language model", () => {
  it.each(cases)("is understood at a question of $trade: $said", async (each) => {
    for (const models of [[], [careful()]]) {
      const { brain } = openRig([askOf(each), end], { models });
      const { collected, parts } = await talk(brain, [each.said]);
      const [decision] = parts.flatMap((part) => (part.type === "decided" ? [part.decision] : []));
      if (each.answer === "free_text") expect(collected).toEqual({ answer: each.said });
      else expect(decision, JSON.stringify(decision)).toBeDefined();
      if (each.answer !== "free_text") expect(["answer", "ask_back"]).toContain(decision?.taken);
    }
  });

  it.each(cases)("reaches the model of a conversation with all of its functions: $said", async ({ said }) => {
    const model = careful();
    const chat: FlowNode = {
      ...{ id: "chat", type: "conversation", text: "How can I help?", prompt: "Help.", tools: ["change"] },
      ...{ exits: [{ when: "cancel everything", next: "over" }], otherwise: "over" },
    };
    const tools = [
      {
        name: "change",
        description: "Changes something.",
        request: { method: "POST" as const, url: "https://example.com/change" },
      },
    ];
    const toolCaller = createTestToolCaller(() => ({ status: 200, body: {} }));
    const { brain } = openRig([chat, end], { models: [model], tools, toolCaller });
    await talk(brain, [said]);
    const [request] = model.requests;
    expect(request?.messages.findLast(({ role }) => role === "callee")).toMatchObject({ text: said });
    expect(request?.tools.map(({ name }) => name)).toEqual(["change", "EXIT_1"]);
  });
});
