import { compileFlow } from "@parley/flow/compile";
import type { PlannedReply } from "@parley/voice/conformance/language-model-rig";
import { createFakeLanguageModel } from "@parley/voice/fakes/fake-language-model";
import { describe, expect, it } from "vitest";
import { RECEPTIONIST } from "./receptionist.ts";
import { holdSample, VOICEMAIL } from "./testing/hold-sample.ts";

const variables = {
  business: "Harbor Hotel",
  facts: "Breakfast is from seven to ten.",
  from_whom: "from Harbor Hotel",
};

async function hold(lines: Parameters<typeof holdSample>[1], replies: readonly PlannedReply[], desk = "") {
  const model = createFakeLanguageModel();
  model.plan(...replies);
  const held = await holdSample(RECEPTIONIST, lines, {
    variables: { ...variables, desk_number: desk },
    models: [model],
  });
  return { ...held, requests: model.requests };
}

const exit = (number: number, input: object = {}) => ({ id: `e${number}`, tool: `EXIT_${number}`, input });

describe("a receptionist", () => {
  it("is published with a warning while no model is configured", () => {
    const result = compileFlow(RECEPTIONIST.flow, { modelNames: [] });
    expect(result).toMatchObject({ ok: true, warnings: [{ code: "no_model", nodeId: "chat" }] });
  });

  it("answers from the given facts", async () => {
    const held = await hold(["When is breakfast?"], [{ type: "reply", texts: ["From seven to ten."] }]);
    expect(held.replies).toEqual([
      "Hi, I'm calling from Harbor Hotel because you got in touch with us. I'm an automated assistant, and this call may be recorded. How can I help you?",
      "From seven to ten.",
    ]);
    expect(held.requests[0]?.instructions).toContain("Breakfast is from seven to ten.");
  });

  it("takes a message", async () => {
    const message = { caller_name: "Ada", message: "Please hold the room.", reachable: "after five" };
    const held = await hold(
      ["I am Ada. Please hold the room.", "Yes"],
      [
        { type: "reply", texts: ["So you want us to hold the room?"] },
        { type: "reply", texts: [], calls: [exit(1, message)] },
      ],
    );
    expect(held.collected).toEqual({ ...message, outcome: "message_taken" });
    expect(held.ended).toBe("finished");
  });

  it("transfers a callee who wants a person, detected by the model or by the words themselves", async () => {
    const noticed = await hold(["This is too hard"], [{ type: "reply", texts: [], calls: [exit(2)] }], "+15550100100");
    expect(noticed.parts).toContainEqual({ type: "transfer", to: "+15550100100", how: "auto" });
    expect((await hold(["Talk to a human"], [])).outcome).toBe("wants_human");
  });

  it("says goodbye when nothing more is needed", async () => {
    expect((await hold(["That was all"], [{ type: "reply", texts: [], calls: [exit(3)] }])).outcome).toBe("helped");
  });

  it("records a callback request when no model is available", async () => {
    const held = await holdSample(RECEPTIONIST, ["Hi", "Are you there"], { variables, models: [] });
    expect(held.outcome).toBe("wants_human");
  });

  it("prompts a silent callee and an inaudible one, without a model", async () => {
    const held = await hold(["[silence]", "[mumbles]"], []);
    expect(held.replies.slice(1)).toEqual(["Are you still there?", "Sorry, I couldn't hear you well."]);
  });

  it("apologizes for a wrong number, and never calls a callee again who does not want it", async () => {
    expect((await hold(["You have the wrong number"], [])).outcome).toBe("wrong_number");
    expect((await hold(["Stop calling me"], [])).parts.map(({ type }) => type)).toContain("suppress");
  });

  it("leaves a message on a voicemail", async () => {
    expect((await hold([VOICEMAIL], [])).ended).toBe("voicemail_left");
  });
});
