import { appendFile, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fliteModulePath, loadFliteModule } from "./flite-module.ts";

test("a program that differs from the known one by a byte is not run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-flite-"));
  try {
    const path = join(folder, "flite.wasm");
    await copyFile(fliteModulePath(), path);
    await appendFile(path, "\0");
    await expect(loadFliteModule(path)).rejects.toThrow("is not the Flite we know");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a program that is not there is reported with its path", async () => {
  await expect(loadFliteModule("/nowhere/flite.wasm")).rejects.toThrow("/nowhere/flite.wasm");
});
