/** What lets simulated callees understand the agent. Without recognizer they take their turns by sound and silence alone. */
export interface CalleeRecognizer {
  /**
   * The words of one utterance of the agent, 16-bit samples at 8 kHz and at most 15 s of them. The signal is aborted when
   * nobody waits for the words any more. A failure counts as not understood.
   */
  understand(utterance: Int16Array, signal: AbortSignal): Promise<string>;
}
