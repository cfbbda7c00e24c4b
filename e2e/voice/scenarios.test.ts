import { type Scenario, ScenarioRun } from "@parley/contract/scenarios";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { isThorough, testThoroughly } from "../harness/thoroughness.ts";
import { openTrySocket, tryByVoice } from "./try-by-voice.ts";

/** Those that are soon over, and nearest to what people do: two of each, or one of two when that must do. */
const BY_AUDIO: Readonly<Record<string, readonly string[]>> = {
  "Appointment confirmation": ["Will come", "Stop calling me"],
  "Delivery notice": ["Somebody is in", "Answers by keys"],
  "Satisfaction survey": ["Does not want to answer", "Wrong number"],
  "Payment reminder": ["Has paid", "Is somebody else"],
};
const BY_AUDIO_BRIEFLY: typeof BY_AUDIO = {
  "Delivery notice": ["Answers by keys"],
  "Payment reminder": ["Has paid"],
};
/** Longer than any of them takes, on a busy machine. */
const RUN_MS_MAX = 400_000;

interface Sample {
  readonly id: string;
  readonly scenarios: readonly Scenario[];
}

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let key: string;
let samples: Readonly<Record<string, Sample>>;
let callByAudioId: string;

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataDir: folder.path, env: { PARLEY_CONVERSATION_THREADS: "1" } });
  key = (await readFirstRun(service)).key;
  const { body } = await ask(service.url, "/api/v1/agents", { key });
  const agents: { id: string; name: string }[] = body.data;
  const read = async ({ id, name }: { id: string; name: string }): Promise<[string, Sample]> => {
    const reply = await ask(service.url, `/api/v1/agents/${id}/scenarios?limit=100`, { key });
    return [name, { id, scenarios: reply.body.data }];
  };
  samples = Object.fromEntries(await Promise.all(agents.map(read)));
}, 240_000);
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

function sampleNamed(name: string): Sample {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`there is no agent ${name}`);
  return sample;
}

async function run(agentId: string, body: object): Promise<ScenarioRun> {
  const begun = await ask(service.url, `/api/v1/agents/${agentId}/scenarios/run`, { key, body });
  if (begun.status !== 200) throw new Error(JSON.stringify(begun.body));
  const { id } = ScenarioRun.parse(begun.body.data);
  const look = async () =>
    ScenarioRun.parse((await ask(service.url, `/api/v1/scenario-runs/${id}`, { key })).body.data);
  return until(look, ({ status }) => status === "done", RUN_MS_MAX);
}

const failuresOf = ({ results }: ScenarioRun) =>
  results.flatMap(({ name, failure, lines }) =>
    failure === null ? [] : [[name, failure.message, ...lines.map(({ role, text }) => `${role}: ${text}`)].join("\n")],
  );

describe("scenarios of the sample agents", () => {
  test.each(Object.keys(BY_AUDIO))("%s passes all of its own by text, over the API", async (name) => {
    const { id, scenarios } = sampleNamed(name);
    const done = await run(id, { on: "text" });
    expect(failuresOf(done)).toEqual([]);
    expect(done.passed).toBe(scenarios.length);
  });

  test(
    "they also pass with audio, in simulated calls to the published version",
    async () => {
      const chosen = isThorough ? BY_AUDIO : BY_AUDIO_BRIEFLY;
      const names = Object.keys(chosen);
      const failures: string[] = [];
      const work = async () => {
        for (let name = names.shift(); name !== undefined; name = names.shift()) {
          const { id, scenarios } = sampleNamed(name);
          const ids = scenarios.filter((each) => chosen[name]?.includes(each.name)).map((scenario) => scenario.id);
          const done = await run(id, { on: "audio", ids, version: 1 });
          failures.push(...failuresOf(done).map((text) => `${name}: ${text}`));
          const callIds = done.results.map(({ callId }) => callId);
          expect(callIds).not.toContain(null);
          callByAudioId = callIds[0] ?? "";
        }
      };
      await Promise.all([work(), work()]);
      expect(failures).toEqual([]);
      // A number that does not exist is on no list, whatever its callee asked for.
      expect((await ask(service.url, "/api/v1/suppressions", { key })).body.data).toEqual([]);
    },
    2 * RUN_MS_MAX,
  );

  testThoroughly(
    "an agent that was broken also fails with audio, with where; and its call can become a scenario",
    { timeout: RUN_MS_MAX },
    async () => {
      const { id, scenarios } = sampleNamed("Appointment confirmation");
      const { flow } = (await ask(service.url, `/api/v1/agents/${id}`, { key })).body.data;
      const nodes = flow.nodes.map((node: { id: string; exits?: { next: string }[] }) =>
        node.id === "decision"
          ? {
              ...node,
              exits: node.exits?.map((exit) => (exit.next === "confirmed" ? { ...exit, next: "gate" } : exit)),
            }
          : node,
      );
      const gate = {
        id: "gate",
        type: "branch",
        exits: [{ when: "isEmpty(variables.first_name)", next: "confirmed" }],
        otherwise: "canceled",
      };
      const ids = scenarios.filter(({ name }) => name === "Will come").map((scenario) => scenario.id);
      const { results } = await run(id, { on: "audio", ids, flow: { ...flow, nodes: [...nodes, gate] } });
      expect(results[0]).toMatchObject({
        ...{ status: "failed", collected: { outcome: "canceled" } },
        failure: { nodeId: "canceled_bye", expectation: { type: "collected", name: "outcome" } },
      });
      const callId = results[0]?.callId ?? "";
      const call = (await ask(service.url, `/api/v1/calls/${callId}`, { key })).body.data;
      expect(call).toMatchObject({ agentVersion: 0, mode: "test", cost: { total: "0.00" } });
      const made = await ask(service.url, `/api/v1/calls/${callId}/scenario`, { key, body: {} });
      expect(made.body.data).toMatchObject({
        agentId: id,
        madeFromCallId: callId,
        steps: [{ say: "Yes, I will come." }],
      });
      const again = await run(id, { on: "text", ids: [made.body.data.id], flow: { ...flow, nodes: [...nodes, gate] } });
      expect(failuresOf(again)).toEqual([]);
    },
  );
});

describe("trying an agent at a microphone", () => {
  test(
    "it is heard, it hears, and it reports where it is, as on the phone",
    async () => {
      const { id } = sampleNamed("Appointment confirmation");
      const { events, heardSeconds, closed } = await tryByVoice(service.url, byKey(key), id, ["Yes, I will come."]);
      const said = events.flatMap((each) => (each.type === "speech" ? [`${each.role}: ${each.text}`] : []));
      expect(said.join("\n")).toContain("callee: Yes, I will come");
      expect(events).toContainEqual({ type: "collected", name: "outcome", value: "confirmed" });
      expect(events.flatMap((each) => (each.type === "node" ? [each.nodeId] : []))).toEqual([
        ...["start", "greeting", "decision", "confirmed", "confirmed_bye"],
      ]);
      expect(events.at(-1)).toEqual({ type: "ended", reason: "agent_hangup" });
      expect(heardSeconds).toBeGreaterThan(8);
      expect(closed).toBe("1000 the conversation is over");
      expect((await ask(service.url, "/api/v1/calls?limit=1", { key })).body.data[0].phase).toBe("ended");
    },
    RUN_MS_MAX,
  );

  test("only one at a time, and what cannot be held is refused with a message", async () => {
    const { id } = sampleNamed("Appointment confirmation");
    const flow = { schemaVersion: 1, nodes: [] };
    const refused = await tryByVoice(service.url, byKey(key), id, [], { flow });
    expect(refused.events).toEqual([
      expect.objectContaining({
        type: "refused",
        code: "validation_failed",
        message: expect.stringContaining("start"),
      }),
    ]);
    const open = openTrySocket(service.url, byKey(key), id);
    await new Promise((resolve) => open.addEventListener("open", resolve));
    const busy = await tryByVoice(service.url, byKey(key), id, []);
    expect(busy.closed).toBe("never opened");
    open.close();
    await until(
      () => tryByVoice(service.url, byKey(key), id, [], { flow }),
      ({ events }) => events.length > 0,
      30_000,
    );
  });

  test("a signed-in member's browser is let in, a page of another site is not; and what was said is for who may read it", async () => {
    const { id } = sampleNamed("Appointment confirmation");
    const { cookie } = (await claimFirst(service)).cookie as { cookie: string };
    const flow = { schemaVersion: 1, nodes: [] };
    const own = await tryByVoice(service.url, { cookie, origin: service.url }, id, [], { flow });
    expect(own.events).toMatchObject([{ type: "refused", code: "validation_failed" }]);
    for (const origin of [{ origin: "https://evil.example" }, {}]) {
      const foreign = await tryByVoice(service.url, { cookie, ...origin }, id, [], { flow });
      expect(foreign.closed).toBe("never opened");
    }
    const deaf = (await createKey(service.url, { cookie, origin: service.url }, { scopes: ["agents:write"] })).key;
    const told = await ask(service.url, `/api/v1/calls/${callByAudioId}/scenario`, { key: deaf, body: {} });
    expect(told.body.error?.code).toBe("insufficient_scope");
  });
});
