import workletUrl from "./sound-worklet.ts?worker&url";

export interface Loudspeaker {
  /** Plays 16-bit mono samples after those before. */
  play(samples: ArrayBuffer): void;
  close(): void;
}

/** Opens a loudspeaker for sound that arrives as it is spoken. */
export async function openLoudspeaker(rateHz: number): Promise<Loudspeaker> {
  // With a context at the rate of the sound the browser itself brings it to the rate of the device.
  const context = new AudioContext({ sampleRate: rateHz, latencyHint: "interactive" });
  try {
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
    const node = new AudioWorkletNode(context, "loudspeaker", {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: { rateHz },
    });
    node.connect(context.destination);
    return {
      play: (samples) => node.port.postMessage(samples, [samples]),
      close: () => void context.close(),
    };
  } catch (error) {
    void context.close();
    throw error;
  }
}
