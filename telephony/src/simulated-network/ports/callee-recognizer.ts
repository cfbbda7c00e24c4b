/** Speech recognition for simulated callees. Without it they take their turns by audio level alone. */
export interface CalleeRecognizer {
  /**
   * The words of one utterance of the agent, 16-bit samples at 8 kHz, at most 15 s. The signal is aborted when
   * the words are no longer needed. A failure counts as not understood.
   */
  understand(utterance: Int16Array, signal: AbortSignal): Promise<string>;
}
