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
    speechProcesses: Math.max(1, Math.round(cores * 0.7)),
    voiceProcesses: Math.max(1, Math.floor(cores / 3)),
  };
}
