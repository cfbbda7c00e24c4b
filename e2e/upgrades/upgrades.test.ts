import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { signInAgain } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { type DataFolder, makeDataFolder } from "../harness/data-folder.ts";
import { type ServiceProcess, startService } from "../harness/service-process.ts";
import { isThorough } from "../harness/thoroughness.ts";
import { keptStates, readKept, unpackDataFolder } from "./kept-state.ts";

const names = await keptStates();

test("data folders of earlier states are kept", () => expect(names.length).toBeGreaterThanOrEqual(2));

// The oldest state has most to migrate.
describe.each(isThorough ? names : names.slice(0, 1))("the data folder of an installation at migration %s", (name) => {
  let folder: DataFolder | null = null;
  let service: ServiceProcess | null = null;
  afterAll(async () => {
    if (service?.child.exitCode === null) await service.end();
    await folder?.remove();
  });

  test("starts on this release, with everything that was in it, and continues", async () => {
    const kept = await readKept(name);
    folder = await makeDataFolder("none");
    await unpackDataFolder(name, folder.path);
    expect(existsSync(`${folder.path}/postgres/database/cluster`)).toBe(true);
    service = await startService({ dataDir: folder.path, readyWithinMs: 110_000 });
    const { url } = service;
    const { key, agentId } = kept;

    for (const call of kept.calls) {
      const { status, body } = await ask(url, `/api/v1/calls/${call.id}`, { key });
      expect([status, body.data]).toMatchObject([200, { status: call.status, phoneNumber: call.phoneNumber, agentId }]);
      if (!call.hasRecording) continue;
      const recording = await fetch(`${url}/api/v1/calls/${call.id}/recording`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(recording.status).toBe(200);
      expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    }
    const listed = await ask(url, "/api/v1/calls", { key });
    expect(listed.body.data.map(({ id }: { id: string }) => id).sort()).toEqual(kept.calls.map(({ id }) => id).sort());

    const agent = await ask(url, `/api/v1/agents/${agentId}`, { key });
    expect(agent.body.data).toMatchObject({ name: "Kept agent", publishedVersion: 2 });
    const versions = await ask(url, `/api/v1/agents/${agentId}/versions`, { key });
    expect(versions.body.data.map(({ note }: { note: string }) => note)).toEqual(["Second", "First"]);

    const { cookie } = await signInAgain(url, kept.email);
    const account = await ask(url, "/api/v1/account", { headers: cookie });
    expect(account.body.data.balance).toBe(kept.balance);

    const fresh = await completeCall({ url, key, agentId });
    const after = await ask(url, "/api/v1/calls", { key });
    expect(after.body.data.map(({ id }: { id: string }) => id)).toContain(fresh);
    expect((await ask(url, `/api/v1/agents/${agentId}/publish`, { key, body: { note: "Third" } })).status).toBe(200);
  });

  test("starts again, with nothing left to migrate", async () => {
    if (!folder || !service) throw new Error("it did not start the first time");
    await service.end();
    service = await startService({ dataDir: folder.path, readyWithinMs: 110_000 });
    expect(service.output()).not.toContain("database migrated");
  });
});
