import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { readConnectionFile } from "@parley/server/platform/database/embedded/connection-file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completeCall } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
let key: string;
let agentId: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene?.close());

async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const callThrough = ({ url }: ServiceProcess) => completeCall({ url, key, agentId });

test("a taken HTTP port is named, with the setting to change, and nothing is left running", async () => {
  const port = await freePort();
  const other = await occupy(port);
  const { code, output } = await scene.refuse({ port });
  other.close();
  expect(code).toBe(1);
  expect(output).toContain(`Port ${port} on 127.0.0.1 is taken by another program.`);
  expect(output).toContain("PARLEY_PORT");
  expect(output).not.toContain("    at ");
  expect(output).not.toContain("svc_test_");
  expect(scene.processes()).toEqual([]);
});

test("a service whose database port was taken meanwhile starts on another one", async () => {
  const first = await scene.start();
  ({ key, agentId } = await readFirstRun(first));
  await first.end("SIGINT");
  const taken = readConnectionFile(scene.connectionFile).port;
  const other = await occupy(taken);
  const second = await scene.start();
  expect(readConnectionFile(scene.connectionFile).port).not.toBe(taken);
  await callThrough(second);
  await second.end("SIGINT");
  other.close();
});

test("a second service on the same folder shares the database, and keeps it when the first one ends", async () => {
  const first = await scene.start();
  const second = await scene.start();
  await Promise.all([callThrough(first), callThrough(second)]);
  const postmaster = scene.postmasterPid();
  expect(await first.end("SIGINT")).toEqual({ code: 0, signal: null });
  await callThrough(second);
  expect(scene.postmasterPid()).toBe(postmaster);
  expect(await second.end("SIGINT")).toEqual({ code: 0, signal: null });
  expect(scene.processes()).toEqual([]);
});
