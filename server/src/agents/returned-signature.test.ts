import type { FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import { startModelServer } from "@parley/providers/testing/model-server";
import { openVendorModel } from "@parley/providers/testing/vendor-models";
import { createTestToolCaller, openRig } from "@parley/voice/conversation/testing/flow-rig";
import { talk } from "@parley/voice/conversation/testing/talk";
import { afterEach, beforeEach, expect, it } from "vitest";

let server: Awaited<ReturnType<typeof startModelServer>>;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const HOURS: FlowTool = {
  name: "find_hours",
  description: "Finds the opening hours of a day.",
  parameters: [{ name: "day", kind: "text", required: true }],
  request: { method: "POST", url: "https://api.example.com/hours", body: { day: "{{day}}" } },
};
const NODES: readonly FlowNode[] = [
  {
    id: "chat",
    type: "conversation",
    text: "How can I help?",
    prompt: "Help.",
    tools: ["find_hours"],
    exits: [],
    otherwise: "bye",
  },
  { id: "bye", type: "end", text: "Goodbye." },
];

it("a model that signs its calls gets each signature back with the call, in that turn and in every later one", async () => {
  server.plan(
    {
      type: "stream",
      moves: [
        {
          type: "call",
          id: "c1",
          tool: "find_hours",
          inputPieces: ['{"day":"Monday"}'],
          signature: "signed-by-google",
        },
        { type: "end" },
      ],
    },
    { type: "stream", moves: [{ type: "text", text: "From nine to five." }, { type: "end" }] },
    { type: "stream", moves: [{ type: "text", text: "You are welcome." }, { type: "end" }] },
  );
  const rig = openRig(NODES, {
    tools: [HOURS],
    models: [openVendorModel("google", server.url)],
    toolCaller: createTestToolCaller(() => ({ status: 200, body: { hours: "9-17" } })),
  });
  const { replies } = await talk(rig.brain, ["When are you open on Monday?", "Thank you"]);
  expect(rig.faults).toEqual([]);
  expect(replies.slice(1)).toEqual(["From nine to five.", "You are welcome."]);
  const signed = server.requests.map(({ body }) =>
    JSON.stringify(body).includes('"thoughtSignature":"signed-by-google"'),
  );
  expect(signed).toEqual([false, true, true]);
});
