import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pruneLogs } from "./prune-logs.ts";
import { openFolder } from "./testing/embedded-scene.ts";

it("keeps the ten newest logs", () => {
  const folder = openFolder();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  try {
    for (let hour = 10; hour < 24; hour += 1) writeFileSync(join(folder, `postgres-20260101-${hour}0000.log`), "");
    pruneLogs(folder, log);
    const left = readdirSync(folder).sort();
    expect(left).toHaveLength(10);
    expect(left[0]).toBe("postgres-20260101-140000.log");
    pruneLogs(join(folder, "missing"), log);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
