/** The voices of simulated callees. The network renders what a callee may say before it answers. */
export interface CalleeVoice {
  /**
   * The voice that can speak all lines of a callee whose preferred voice is `voice`: the voice never changes in the
   * middle of a call. Without it every voice can say everything.
   */
  cast?(lines: readonly string[], voice: string): string;
  /**
   * Speaks a line, as 16-bit samples at 8 kHz. `voice` is `human` or `machine` for the network's own callees, or the name
   * that a plan requests; an unknown name falls back to the default voice. A line that fails is babbled instead.
   */
  render(text: string, voice: string): Promise<Int16Array>;
}
