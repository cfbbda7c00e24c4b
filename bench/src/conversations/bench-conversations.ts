import { ask } from "@parley/e2e/harness/api-client";
import { makeDataFolder } from "@parley/e2e/harness/data-folder";
import { readFirstRun, startService } from "@parley/e2e/harness/service-process";
import { describeHeld, holdCall } from "@parley/e2e/voice/held-calls";
import { connectRanker, startRankerThread } from "@parley/providers/local/intents/ranker-thread";
import { connectJudge, startJudgeThread } from "@parley/providers/local/judge/judge-thread";
import { loadRanker } from "@parley/providers/local/testing/load-ranker";
import { VISIT_FOLLOW_UP } from "@parley/server/agents/samples/visit-follow-up";
import { SHIPPED_SAMPLES } from "@parley/server/agents/shipped-samples";
import { openFlowRig, type RigOptions } from "@parley/voice/conversation/testing/flow-rig";
import { talk } from "@parley/voice/conversation/testing/talk";
import pLimit from "p-limit";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import {
  ACTING,
  type AgentName,
  CONVERSATIONS,
  type Conversation,
  MEMBERSHIP,
  VARIABLES,
} from "./conversation-list.ts";

/** Calls at a time: the callees think and speak on the same processors as the agents. */
const AT_ONCE = 2;
const QUICK_COUNT = 1;
/** `--by-text`: without the calls, to isolate the effect of the words. */
const isByText = process.argv.includes("--by-text");
/** `--show`: prints every conversation and not only those that went wrong. */
const showsAll = process.argv.includes("--show");

/** `failed`: the service itself failed, most likely because the machine was too slow. */
type Verdict = "right" | "wrong" | "open" | "failed";

interface Held {
  readonly conversation: Conversation;
  readonly verdict: Verdict;
  readonly outcome: string;
  readonly transcript: string;
}

/**
 * Conversations of callees with a goal, by text and over the simulated phone network with the whole service. A call
 * that ends with what the callee did not want is wrong; one that ends without an outcome is open.
 */
export async function benchConversations(): Promise<Goal[]> {
  const chosen = isQuick ? CONVERSATIONS.slice(0, QUICK_COUNT) : CONVERSATIONS;
  const byText = await holdByText(chosen);
  report("by text", byText);
  const figures = (name: string, held: readonly Held[]): Goal[] => [
    { name: `${name}_wrong`, value: held.filter(({ verdict }) => verdict === "wrong").length, max: 0 },
    {
      name: `${name}_right`,
      value: (100 * held.filter(({ verdict }) => verdict === "right").length) / held.length,
      min: 80,
      unit: " %",
    },
  ];
  if (isByText) return figures("text", byText);
  const called = await holdByPhone(chosen);
  report("by phone", called);
  return [...figures("text", byText), ...figures("phone", called)];
}

function judge(conversation: Conversation, collected: Readonly<Record<string, unknown>>): Omit<Held, "transcript"> {
  const { agent, right, collects = {} } = conversation;
  const outcome = String(collected["outcome"] ?? "none");
  const isOther = Object.entries(collects).some(
    ([name, value]) => collected[name] !== undefined && collected[name] !== null && collected[name] !== value,
  );
  const isRight = right.includes(outcome) || (right.length === 0 && !ACTING[agent].includes(outcome));
  const isWrong = isOther || (ACTING[agent].includes(outcome) && !right.includes(outcome));
  return { conversation, outcome, verdict: isWrong ? "wrong" : isRight ? "right" : "open" };
}

async function holdByText(conversations: readonly Conversation[]): Promise<Held[]> {
  const onFailure = (reason: string) => console.error(reason);
  const [intents, judges] = [startRankerThread({ onFailure }), startJudgeThread({ onFailure })];
  const [ranker, answerJudge] = [connectRanker(intents.connect()), connectJudge(judges.connect())];
  try {
    await Promise.all([loadRanker(ranker), judges.ready]);
    const held: Held[] = [];
    for (const each of conversations) held.push(await talkOnce(each, { ranker, judge: answerJudge, models: [] }));
    for (const each of held) if (each.verdict !== "right" || showsAll) show(each);
    return held;
  } finally {
    await Promise.all([ranker.close(), answerJudge.close()]);
    await Promise.all([intents.stop(), judges.stop()]);
  }
}

async function talkOnce(
  conversation: Conversation,
  options: Pick<RigOptions, "ranker" | "judge" | "models">,
): Promise<Held> {
  const { agent, says } = conversation;
  const { brain, faults } = openFlowRig(flowOf(agent), { ...options, variables: VARIABLES[agent] });
  const { collected, items } = await talk(brain, says);
  if (faults.length > 0) throw faults[0];
  const lines = items.map((item) =>
    item.by === "agent"
      ? `agent: ${item.text}`
      : `callee: ${item.turn.type === "said" ? item.turn.text : item.turn.type}`,
  );
  return { ...judge(conversation, collected), transcript: lines.join("\n") };
}

function flowOf(agent: AgentName) {
  const sample = [...SHIPPED_SAMPLES, VISIT_FOLLOW_UP].find(({ name }) => name === agent);
  return sample?.flow ?? MEMBERSHIP;
}

async function holdByPhone(conversations: readonly Conversation[]): Promise<Held[]> {
  const folder = await makeDataFolder("none");
  const service = await startService({
    dataDir: folder.path,
    env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_SPEECH_MODEL: isQuick ? "tiny" : "auto" },
    readyWithinMs: 300_000,
  });
  try {
    const caller = { url: service.url, key: (await readFirstRun(service)).key };
    const agents = await publishAgents(caller);
    return await pLimit(AT_ONCE).map(conversations, async (conversation, index) => {
      const agentId = agents.get(conversation.agent) ?? "";
      // A separate number for each: a callee's requests apply to the number.
      const phoneNumber = `+1555020${String(5000 + index)}`;
      const held = await holdCall({ ...caller, agentId }, phoneNumber, {
        variables: VARIABLES[conversation.agent],
        simulation: simulationOf(conversation),
      });
      const found = { ...judge(conversation, held.call.collected ?? {}), transcript: describeHeld(held) };
      const isFailed = found.verdict === "open" && held.call.status === "failed";
      const judged: Held = isFailed ? { ...found, verdict: "failed" } : found;
      // It takes a quarter of an hour; errors are shown as they happen.
      if (judged.verdict !== "right" || showsAll) show(judged);
      return judged;
    });
  } finally {
    await service.end("SIGINT");
    await folder.remove();
  }
}

/** Answers, says each line in its turn, and hangs up when the agent has nothing more to say. */
function simulationOf({ says }: Conversation): object {
  const lines = says.map((say) => ({ say }));
  return {
    answerAfterMs: 1_000,
    script: [{ say: "Hello?" }, ...lines, { waitForTurn: true }, { waitMs: 4_000 }, { hangUp: true }],
  };
}

async function publishAgents({ url, key }: { url: string; key: string }): Promise<ReadonlyMap<string, string>> {
  const body = { name: "Membership", language: "en-US", flow: MEMBERSHIP };
  const made = await ask(url, "/api/v1/agents", { key, body });
  await ask(url, `/api/v1/agents/${made.body.data.id}/publish`, { key, method: "POST" });
  const listed = await ask(url, "/api/v1/agents?limit=100", { key });
  return new Map(listed.body.data.map(({ name, id }: { name: string; id: string }) => [name, id]));
}

function report(how: string, held: readonly Held[]): void {
  console.log(`\n${how}: ${held.length} conversations`);
  console.log(["".padEnd(16), "count", "right", "open", "failed", "wrong"].join("\t"));
  const rows = [["all", held] as const, ...Map.groupBy(held, ({ conversation }) => conversation.class)];
  for (const [row, found] of rows) {
    const count = (verdict: Verdict) => found.filter((each) => each.verdict === verdict).length;
    console.log(
      [row.padEnd(16), found.length, count("right"), count("open"), count("failed"), count("wrong")].join("\t"),
    );
  }
}

function show({ conversation, verdict, outcome, transcript }: Held): void {
  const { agent, class: kind, right } = conversation;
  console.log(`\n${verdict}: ${agent}, ${kind}: ${outcome}, wanted ${right.join(" or ") || "nothing"}\n${transcript}`);
}
