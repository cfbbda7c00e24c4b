import { setTimeout as after } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { claim, makeKey, readClaimToken } from "../harness/claim.ts";
import { freePort } from "../harness/free-port.ts";
import { startNpm } from "../harness/npm-process.ts";
import { killProcesses } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open("none");
});
afterEach(() => scene.close());

/** What a person can do with only the output of this start: claims the account, creates a key, places a call. */
async function getIn(service: ServiceProcess): Promise<void> {
  const { url } = service;
  const { cookie } = await claim(url, await readClaimToken(service));
  const key = await makeKey(url, cookie);
  const agents = await ask(url, "/api/v1/agents", { key });
  await completeCall({ url, key, agentId: agents.body.data[0].id });
}

// Within these times the cluster is created, PostgreSQL starts, the schema is created, and the first account.
const MOMENTS = [
  [600, "everything"],
  [300, "service"],
  [1500, "everything"],
  [100, "service"],
  [1000, "service"],
] as const;

test.each(MOMENTS)(
  "a first start killed after %i ms (%s) is made good by the next: one account, and a way in",
  async (moment, what) => {
    const first = await scene.start({ waitForReady: false });
    await after(moment);
    if (what === "everything") killProcesses(scene.processes());
    await first.end("SIGKILL");
    const next = await scene.start();
    await getIn(next);
    expect(await scene.query("select name from accounts")).toEqual([{ name: "First account" }]);
    expect(await next.end("SIGINT")).toEqual({ code: 0, signal: null });
    expect(scene.processes()).toEqual([]);
  },
);

test("a person who never saw the output of the first start gets in by the next one's link, and the lost key is not shown", async () => {
  const unseen = await scene.start();
  const lost = await readClaimToken(unseen);
  await unseen.end("SIGKILL");
  const next = await scene.start();
  await getIn(next);
  expect(next.output()).not.toContain("svc_test_");
  await expect(claim(next.url, lost, "late@example.com")).rejects.toThrow("not_found");
});

test.each(["initdb", "postgres -D"])("Ctrl-C while %s starts leaves nothing running", async (program) => {
  const port = await freePort();
  // What is not asked for here, and would take a core from the tests beside it.
  const without = { PARLEY_DASHBOARD: "off", PARLEY_CONVERSATION_THREADS: "0" };
  const env = { ...without, PARLEY_DATA_DIR: scene.dataDir, PARLEY_PORT: String(port) };
  const first = startNpm({ cwd: REPOSITORY, port, env });
  await until(
    async () => scene.processes().map(({ command }) => command),
    (commands) => commands.some((command) => command.includes(program)),
    60_000,
  );
  await first.end("SIGINT");
  expect(first.output()).toContain('"msg":"stopped"');
  expect(scene.processes()).toEqual([]);
});
