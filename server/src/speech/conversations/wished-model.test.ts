import { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { type ModelServer, type ServerPlan, startModelServer } from "@parley/providers/testing/model-server";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { soon } from "@parley/voice/conformance/outcome-of";
import { talk } from "@parley/voice/conversation/testing/talk";
import { takeTextTurn } from "@parley/voice/conversation/text-call/take-text-turn";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withGivenReplies } from "../../agents/trials/text/given-tools.ts";
import { textCallSetup } from "../../agents/trials/text/text-brains.ts";
import type { ModelSettings } from "../../platform/config/model-settings.ts";
import { type LiveModel, openLiveModel } from "../models/live-model.ts";
import { openLanguageModel } from "../models/open-language-model.ts";
import { readPlan } from "./read-plan.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

const SMALL = "openai-compatible/small";
/** A conversation by the first model, a judgement and a second conversation by the small one. */
const FLOW = Flow.parse({
  schemaVersion: 1,
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "chat" },
    {
      id: "chat",
      type: "conversation",
      text: "How can I help?",
      prompt: "Be kind.",
      otherwise: "bye",
      exits: [{ when: "The caller has a question.", next: "sort" }],
    },
    {
      id: "sort",
      type: "branch",
      model: SMALL,
      otherwise: "bye",
      prompts: [{ when: "It is about the opening hours.", next: "hours" }],
    },
    { id: "hours", type: "conversation", prompt: "We close at six.", model: SMALL, exits: [], otherwise: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
});

const says = (text: string): ServerPlan => ({ type: "stream", moves: [{ type: "text", text }, { type: "end" }] });
const leaves: ServerPlan = {
  type: "stream",
  moves: [{ type: "call", id: "c1", tool: "EXIT_1", inputPieces: ["{}"] }, { type: "end" }],
};

/** Nothing is late unless a test lets time pass. */
let clock: VirtualClock;
let server: ModelServer;
let live: LiveModel;
let failures: string[];

beforeEach(async () => {
  clock = createVirtualClock();
  server = await startModelServer();
  failures = [];
});
afterEach(async () => {
  live.close();
  await soon(server.nothingLeft(), "letting go of every request");
  await server.close();
});

/** Two models behind one address: which of them is asked stands in the request. */
async function openModels(): Promise<readonly LanguageModel[]> {
  const own = (model: string) => ({
    provider: "openai-compatible",
    model,
    apiKey: null,
    baseUrl: `${server.url}/v1`,
  });
  const settings: ModelSettings = { choices: [own("large"), own("small")], firstTokenTimeoutMs: 4000 };
  live = await openLiveModel(settings, (chosen) =>
    openLanguageModel(chosen, { clock, onFailure: ({ message }) => failures.push(message) }),
  );
  const model = live.current();
  if (model === null) throw new Error("there is no model");
  return [model];
}

const modelsAsked = () => server.requests.map(({ body }) => (body as { readonly model: string }).model);

/** As a call is held, and a try by voice: the same brain in the same thread. */
async function holdCall(lines: readonly string[], flow = FLOW): Promise<string> {
  const parts = { models: await openModels(), ranker: null, timers: clock, toolCallerFor: () => null };
  const mayDial = async () => ({ isAllowed: true }) as const;
  const { setup, release } = readPlan(parts, { ...planOf("call_1"), flow }, mayDial, () => undefined);
  try {
    return (await talk(setup.brain, lines)).replies.join(" | ");
  } finally {
    release();
  }
}

/** As a try by text is held, and a scenario. */
async function holdByText(lines: readonly string[]): Promise<string> {
  const compiled = compileFlow(FLOW);
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  const models = await openModels();
  const brains = { modelNames: [], models: async () => models, ranker: () => null };
  const facts = { callId: "try_1", language: "en-US", variables: {}, startedAtMs: 0 };
  const over = new AbortController();
  const setup = await textCallSetup(brains, compiled.plan, facts, withGivenReplies({}, null), over.signal);
  const turns = [await takeTextTurn(setup, null, null)];
  for (const say of lines) turns.push(await takeTextTurn(setup, turns.at(-1)?.state ?? null, { say }));
  over.abort();
  const textOf = (turn: (typeof turns)[number]) => turn.events.flatMap((each) => ("text" in each ? [each.text] : []));
  return turns.map((turn) => textOf(turn).join(" ")).join(" | ");
}

describe("the model that a node names", () => {
  it.each([
    ["in calls and tries by voice", holdCall],
    ["in tries by text and scenarios", holdByText],
  ])("is the one that its vendor is asked for, %s", async (_where, hold) => {
    server.plan(leaves, says("1"), says("We close at six."), says("On Sundays too."));
    const held = await soon(hold(["When do you close?", "And on Sundays?"]), "the conversation");
    expect(held).toBe("How can I help? | We close at six. | On Sundays too.");
    expect(modelsAsked()).toEqual(["large", "small", "small", "small"]);
  });

  it("leaves its turn to the others when it fails, and is asked after them while it rests", async () => {
    server.plan(leaves, { type: "failure", status: 503 }, says("1"), says("We close at six."));
    const held = await soon(holdCall(["When do you close?"]), "the conversation");
    expect(held).toBe("How can I help? | We close at six.");
    expect(modelsAsked()).toEqual(["large", "small", "large", "large"]);
    expect(failures).toEqual([expect.stringContaining("openai-compatible/small answered 503")]);
  });

  it("that is not set up any more costs no call: the first one answers", async () => {
    server.plan(says("Hello, it is me."));
    const chat = { ...FLOW.nodes[1], model: "openai/retired" } as Flow["nodes"][number];
    const flow = { ...FLOW, nodes: FLOW.nodes.map((node) => (node.id === "chat" ? chat : node)) };
    expect(await soon(holdCall(["Hi"], flow), "the conversation")).toBe("How can I help? | Hello, it is me.");
    expect([modelsAsked(), failures]).toEqual([["large"], []]);
  });
});

it("in a call a model that says nothing in time is replaced by the next, and the callee hears that it takes a moment", async () => {
  server.plan({ type: "silence" });
  const held = holdCall(["When do you close?"]);
  await soon(server.allTakenUp(), "asking the first");
  server.plan(says("At six."));
  await clock.advance(4000);
  expect(await soon(held, "the conversation")).toBe("How can I help? | One moment, please. At six.");
  expect(modelsAsked()).toEqual(["large", "small"]);
});
