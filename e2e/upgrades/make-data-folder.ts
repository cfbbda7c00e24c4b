import { existsSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claimFirst, createKey } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { type Caller, placeCall, QUICK_CALLEE, untilPhase } from "../harness/calls.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { REPOSITORY, startService } from "../harness/service-process.ts";
import { type KeptState, packDataFolder, stateFolder } from "./kept-state.ts";

/**
 * Creates the data folder of an installation that was used a little, by running a checkout of this project, and packs
 * it for the test of upgrades. README.md beside this file says when and how.
 */
const [name, checkout = REPOSITORY] = process.argv.slice(2);
if (!name) throw new Error("give the name of the state to keep, and the checkout if it is not this one");

const folder = await makeDataFolder("none");
const service = await startService({
  dataDir: folder.path,
  cwd: checkout,
  env: {
    PARLEY_CONVERSATION_THREADS: "1",
    // Earlier releases refuse settings they do not know.
    PARLEY_DASHBOARD: existsSync(join(checkout, "dashboard")) ? "off" : undefined,
  },
  readyWithinMs: 300_000,
});
try {
  const { url } = service;
  const owner = await claimFirst(service);
  const { key } = await createKey(url, owner.cookie, { name: "Kept" });
  const { body: agents } = await ask(url, "/api/v1/agents", { key });
  const sample = agents.data[0];
  const { body: read } = await ask(url, `/api/v1/agents/${sample.id}`, { key });
  const { body: made } = await ask(url, "/api/v1/agents", { key, body: { name: "Kept agent", flow: read.data.flow } });
  const agentId: string = made.data.id;
  for (const note of ["First", "Second"]) await ask(url, `/api/v1/agents/${agentId}/publish`, { key, body: { note } });
  const caller: Caller = { url, key, agentId };
  const callIds: string[] = [];
  for (const [phoneNumber, more] of [
    ["+15550100002", {}],
    ["+15550100001", QUICK_CALLEE],
    ["+15550100001", { variables: { first_name: "Ada" } }],
  ] as const) {
    const id = await placeCall(caller, phoneNumber, more);
    await untilPhase(caller, id, "ended", 180_000);
    callIds.push(id);
  }
  const calls = [];
  for (const id of callIds) {
    const { data } = (await ask(url, `/api/v1/calls/${id}`, { key })).body;
    const { status, phoneNumber, recording } = data;
    calls.push({ id, status, phoneNumber, hasRecording: recording?.status === "ready" });
  }
  const { body: account } = await ask(url, "/api/v1/account", { headers: owner.cookie });
  const kept: KeptState = { key, email: owner.email, agentId, balance: account.data.balance, calls };
  await service.end("SIGTERM");
  await mkdir(stateFolder(name), { recursive: true });
  await writeFile(join(stateFolder(name), "kept.json"), `${JSON.stringify(kept, null, 2)}\n`);
  const file = join(stateFolder(name), "data.tar.zst");
  await packDataFolder(folder.path, file);
  console.log(`${file}: ${(await stat(file)).size} bytes, ${calls.map(({ status }) => status).join(", ")}`);
} finally {
  if (service.child.exitCode === null) await service.end("SIGKILL");
  await folder.remove();
}
