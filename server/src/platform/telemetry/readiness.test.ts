import { expect, test } from "vitest";
import { createReadiness, NotReady } from "./readiness.ts";

test("a process is ready while everything it needs holds, and not from the moment it stops", async () => {
  const readiness = createReadiness();
  let reason: string | null = null;
  readiness.add(async () => undefined);
  readiness.add(() => {
    if (reason !== null) throw new NotReady(reason);
  });
  await readiness.check();
  reason = "calls cannot be claimed";
  await expect(readiness.check()).rejects.toThrow("calls cannot be claimed");
  reason = null;
  await readiness.check();
  readiness.stop();
  await expect(readiness.check()).rejects.toThrow("stopping");
});

test("probes at the same time share one check", async () => {
  const readiness = createReadiness();
  let checks = 0;
  readiness.add(async () => {
    checks += 1;
  });
  await Promise.all([readiness.check(), readiness.check(), readiness.check()]);
  expect(checks).toBe(1);
});
