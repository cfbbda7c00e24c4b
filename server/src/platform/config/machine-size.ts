/** How a machine is shared between the processes of the service. */
export interface MachineSize {
  /** Processes that conduct calls; 0 if the process that serves requests does so itself. */
  readonly workers: number;
  /** The cores of each process that conducts calls. */
  readonly workerCores: number;
}

/**
 * A process has one main thread, one thread that detects speech, and one voice thread, which are busy at about 100 calls;
 * three cores carry some 60 of them. A machine with fewer than six cores is not divided: each process loads its own models.
 */
const WORKER_CORES = 3;
const DIVIDED_CORES_MIN = 6;
const WORKERS_MAX = 32;

/** One core is left for requests, jobs and the database. */
export function sizeMachine(cores: number, chosenWorkers?: number): MachineSize {
  const divided = cores < DIVIDED_CORES_MIN ? 0 : Math.min(WORKERS_MAX, Math.floor((cores - 1) / WORKER_CORES));
  const workers = chosenWorkers ?? divided;
  if (workers === 0) return { workers, workerCores: cores };
  return { workers, workerCores: Math.max(1, Math.floor((cores - (cores > workers ? 1 : 0)) / workers)) };
}

/** What a process that conducts calls starts, by its cores. */
export interface WorkerSize {
  readonly conversationThreads: number;
  readonly speechProcesses: number;
  readonly voiceProcesses: number;
}

/** Together they are more than the cores: none of them works all the time. */
export function sizeWorker(cores: number): WorkerSize {
  return {
    conversationThreads: Math.max(1, Math.floor(cores / 3)),
    speechProcesses: cores < 3 ? 1 : cores,
    voiceProcesses: Math.max(1, Math.floor(cores / 3)),
  };
}

/** The embedded database has 200 connections, and each process needs some more than these. */
const CONNECTIONS_OF_ALL = 96;
const CONNECTIONS_MAX = 16;

/** The settings of a process that conducts calls for this one. Those of the operator take effect in each of them. */
export function workerEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { count, cores, dataDir }: { readonly count: number; readonly cores: number; readonly dataDir: string },
): Readonly<Record<string, string | undefined>> {
  return {
    ...environment,
    PARLEY_DATABASE_CONNECTIONS:
      environment["PARLEY_DATABASE_CONNECTIONS"] ??
      String(Math.max(4, Math.min(CONNECTIONS_MAX, Math.floor(CONNECTIONS_OF_ALL / count)))),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_ROLES: "calls",
    PARLEY_WORKER_PROCESSES: "0",
    PARLEY_CORES: String(cores),
    // Only one process can listen on a chosen port.
    PARLEY_INTERNAL_PORT: "0",
  };
}

/** The settings of one of them, by its number from 0: each has the next port for health checks and metrics. */
export function numberedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  healthPort: number | null,
  number: number,
): Readonly<Record<string, string | undefined>> {
  if (healthPort === null) return environment;
  return { ...environment, PARLEY_HEALTH_PORT: String(healthPort === 0 ? 0 : healthPort + 1 + number) };
}
