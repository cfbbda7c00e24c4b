import { compileFlow } from "@parley/flow/compile";
import { createFakeLanguageModel } from "@parley/voice/fakes/fake-language-model";
import { describe, expect, it } from "vitest";
import { holdSample } from "./testing/hold-sample.ts";
import { VISIT_FOLLOW_UP } from "./visit-follow-up.ts";

const variables = {
  first_name: "Ada",
  from_whom: "from Green Street Clinic",
  facts: "Stitches come out after ten days.",
};

describe("a call after a visit", () => {
  it("can be placed without a language model, and is published without a warning", () => {
    expect(compileFlow(VISIT_FOLLOW_UP.flow, { modelNames: [] })).toMatchObject({ ok: true, warnings: [] });
  });

  it("asks no model where the rules understand", async () => {
    const model = createFakeLanguageModel();
    const held = await holdSample(VISIT_FOLLOW_UP, ["Much better.", "No."], { variables, models: [model] });
    expect(held.collected).toMatchObject({ feeling: "better", outcome: "checked_in" });
    expect(model.requests).toEqual([]);
  });

  it("lets a model answer a question from the facts", async () => {
    const model = createFakeLanguageModel();
    const question = { question: "When do the stitches come out?" };
    model.plan(
      { type: "reply", texts: ["After ten days."] },
      { type: "reply", texts: [], calls: [{ id: "e2", tool: "EXIT_2", input: question }] },
    );
    const lines = ["[1]", "[1]", "Great, thanks."];
    const held = await holdSample(VISIT_FOLLOW_UP, lines, { variables, models: [model] });
    expect(held.replies).toContain("After ten days.");
    expect(held.collected).toMatchObject({ ...question, outcome: "question_answered" });
    expect(model.requests[0]?.instructions).toContain("Stitches come out after ten days.");
  });

  it("records the question for the team immediately where no model is available", async () => {
    const lines = ["Better.", "Yes.", "When do the stitches come out?"];
    const held = await holdSample(VISIT_FOLLOW_UP, lines, { variables });
    expect(held.replies[2]).toBe("I'll pass that on to our team. What's your question for them?");
    expect(held.collected).toMatchObject({ question: "When do the stitches come out?", outcome: "question_noted" });
  });

  it("sends an emergency elsewhere", async () => {
    expect((await holdSample(VISIT_FOLLOW_UP, ["I can't breathe!"], { variables })).last).toContain("nine one one");
  });
});
