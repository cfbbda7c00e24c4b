import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtAheadFolder } from "@parley/server/platform/dashboard-assets/build-if-stale";
import { afterAll, expect, test } from "vitest";
import { giveDashboardBuiltAhead } from "../dashboard/built-once.ts";
import { ask, until } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { copyCheckout, removeDevelopmentPackages } from "../harness/checkout-copy.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";

let scene: Scene;
afterAll(() => scene?.close());

test("an installation without development packages places calls and serves the dashboard that was built ahead", async () => {
  scene = await Scene.open("none");
  const checkout = join(scene.folder, "checkout");
  copyCheckout(checkout);
  removeDevelopmentPackages(checkout);
  expect(existsSync(join(checkout, "node_modules/vite"))).toBe(false);
  rmSync(builtAheadFolder(checkout), { recursive: true, force: true });
  await giveDashboardBuiltAhead(checkout);

  const service = await scene.start({ cwd: checkout, env: { PARLEY_DASHBOARD: "on" } });
  const { key, agentId } = await readFirstRun(service);
  await completeCall({ url: service.url, key, agentId });
  const output = await until(
    async () => service.output(),
    (printed) => printed.includes("dashboard is ready") || printed.includes("dashboard build failed"),
    60_000,
  );
  expect(output).toMatch(/"wasBuilt":false.*"dashboard is ready"/);
  const page = await ask(service.url, "/", { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(existsSync(join(scene.dataDir, "dashboard"))).toBe(false);
});
