import { expect, test } from "vitest";
import { completeCall } from "../harness/calls.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";

test("a service whose log reader disappeared continues, and still stops in order", async () => {
  const scene = await Scene.open();
  try {
    const service = await scene.start({ env: { PARLEY_LOG_LEVEL: "debug" } });
    const caller = { url: service.url, ...(await readFirstRun(service)) };
    service.child.stdout?.destroy();
    service.child.stderr?.destroy();
    await completeCall(caller);
    expect(await service.end("SIGINT")).toEqual({ code: 0, signal: null });
    expect(scene.processes()).toEqual([]);
  } finally {
    await scene.close();
  }
});
