import { expect, test } from "vitest";
import { sizeMachine, sizeWorker, workerEnvironment } from "./machine-size.ts";

test.each([
  [1, { workers: 0, workerCores: 1 }],
  [2, { workers: 0, workerCores: 2 }],
  [4, { workers: 0, workerCores: 4 }],
  [6, { workers: 1, workerCores: 5 }],
  [8, { workers: 2, workerCores: 3 }],
  [16, { workers: 5, workerCores: 3 }],
  [32, { workers: 10, workerCores: 3 }],
  [192, { workers: 32, workerCores: 5 }],
])("a machine with %i cores is divided between processes that conduct calls", (cores, expected) => {
  expect(sizeMachine(cores)).toEqual(expected);
});

test("the operator's number of processes shares the cores, and 0 keeps everything in one process", () => {
  expect(sizeMachine(16, 3)).toEqual({ workers: 3, workerCores: 5 });
  expect(sizeMachine(16, 0)).toEqual({ workers: 0, workerCores: 16 });
  expect(sizeMachine(2, 2)).toEqual({ workers: 2, workerCores: 1 });
  expect(sizeMachine(1, 1)).toEqual({ workers: 1, workerCores: 1 });
});

test.each([
  [1, { conversationThreads: 1, speechProcesses: 1, voiceProcesses: 1 }],
  [2, { conversationThreads: 1, speechProcesses: 1, voiceProcesses: 1 }],
  [3, { conversationThreads: 1, speechProcesses: 3, voiceProcesses: 1 }],
  [4, { conversationThreads: 1, speechProcesses: 4, voiceProcesses: 1 }],
  [8, { conversationThreads: 2, speechProcesses: 8, voiceProcesses: 2 }],
  [16, { conversationThreads: 5, speechProcesses: 16, voiceProcesses: 5 }],
])("a process with %i cores has threads and processes for all of them", (cores, expected) => {
  expect(sizeWorker(cores)).toEqual(expected);
});

test("no core of a large machine is left without work for recognition", () => {
  for (let cores = 6; cores <= 96; cores++) {
    const { workers, workerCores } = sizeMachine(cores);
    const { speechProcesses } = sizeWorker(workerCores);
    expect(workers * workerCores, `${cores} cores`).toBeGreaterThan(0.7 * (cores - 1));
    expect(workers * speechProcesses, `${cores} cores`).toBeGreaterThanOrEqual(cores / 2);
  }
});

test("workers share the cores and the connections, conduct calls only, and keep the operator's settings", () => {
  const environment = workerEnvironment(
    { PARLEY_SPEECH_MODEL: "tiny", PARLEY_PORT: "3000", PARLEY_INTERNAL_PORT: "4000" },
    { count: 10, cores: 3, dataDir: "/data" },
  );
  expect(environment).toMatchObject({
    PARLEY_SPEECH_MODEL: "tiny",
    PARLEY_ROLES: "calls",
    PARLEY_CORES: "3",
    PARLEY_WORKER_PROCESSES: "0",
    PARLEY_INTERNAL_PORT: "0",
    PARLEY_DATA_DIR: "/data",
    PARLEY_DATABASE_CONNECTIONS: "9",
  });
});
