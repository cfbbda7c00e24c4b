import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createLocalRecordingStore } from "./recording-storage.ts";
import { testRecordingStore } from "./testing/store-conformance.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-local-store-"));
afterAll(() => rm(folder, { recursive: true }));

testRecordingStore("a folder", () => createLocalRecordingStore(folder));
