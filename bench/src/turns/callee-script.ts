/** What a callee does on the line, step by step. */
export interface CalleeAct {
  /**
   * - answer: speaks when the agent has been silent for `afterMs`.
   * - over: speaks while the agent does, when it has for `afterMs` since its turn began or since the last act.
   */
  readonly type: "answer" | "over";
  /** Its purpose, to distinguish it in the figures. */
  readonly purpose: ActPurpose;
  readonly clipName: string;
  readonly afterMs: number;
}

export type ActPurpose = "expected" | "free" | "back_channel" | "interruption" | "stop_word" | "filler";

export interface CalleePlan {
  readonly acts: readonly CalleeAct[];
  /** Said to an agent that waits, when the next act needs it to speak. */
  readonly fillerClip: string;
  /** Echoes the agent's voice with this delay and attenuation; null on a clean line. */
  readonly echo: { readonly delayMs: number; readonly lossDb: number } | null;
  /** Nothing is said to the agent for this long. */
  readonly beginsAfterMs: number;
}

/** The result of an act. Frames count from the first one that was sent; milliseconds are those of the machine's clock. */
export interface ActNote {
  readonly purpose: ActPurpose;
  readonly clipName: string;
  readonly startFrame: number;
  readonly frames: number;
  /** When its first and its last audio were sent. */
  readonly startMs: number;
  readonly endMs: number;
  /** When the agent's voice was first received after its end, and when it was last received before falling silent. */
  agentVoiceMs: number | null;
  agentSilentMs: number | null;
}
