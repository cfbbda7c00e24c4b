import workletUrl from "./audio-worklet.ts?worker&url";

export interface Microphone {
  readonly rateHz: number;
  close(): void;
}

/** Why there is no microphone, as far as a user can do something about it. */
export type MicrophoneRefusal = "not_allowed" | "none" | "in_use" | "not_secure" | "failed";

export class NoMicrophone extends Error {
  override readonly name = "NoMicrophone";
  readonly refusal: MicrophoneRefusal;

  constructor(refusal: MicrophoneRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Speech is below 8 kHz, and the service accepts this rate directly. */
const RATE_HZ = 16_000;

/** Opens the microphone: `onPiece` gets 16-bit mono samples and their level, from 0 to 1. */
export async function openMicrophone(onPiece: (samples: ArrayBuffer, peak: number) => void): Promise<Microphone> {
  const stream = await askForMicrophone();
  const context = new AudioContext();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    closeOnce(context);
  };
  try {
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
    const tap = new AudioWorkletNode(context, "microphone-tap", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
      processorOptions: { fromHz: context.sampleRate, toHz: RATE_HZ },
    });
    tap.port.onmessage = ({ data }: MessageEvent<{ samples: ArrayBuffer; peak: number }>) =>
      onPiece(data.samples, data.peak);
    context.createMediaStreamSource(stream).connect(tap);
    return { rateHz: RATE_HZ, close };
  } catch (error) {
    close();
    throw error instanceof NoMicrophone ? error : new NoMicrophone("failed");
  }
}

/** The end of a conversation and leaving it both close what it used; a closed context refuses to be closed again. */
function closeOnce(context: AudioContext): void {
  if (context.state !== "closed") void context.close();
}

async function askForMicrophone(): Promise<MediaStream> {
  // Browsers deny it to pages loaded over plain HTTP from another machine.
  if (!navigator.mediaDevices) throw new NoMicrophone("not_secure");
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (error) {
    throw new NoMicrophone(REFUSALS.get(error instanceof DOMException ? error.name : "") ?? "failed");
  }
}

const REFUSALS: ReadonlyMap<string, MicrophoneRefusal> = new Map([
  ["NotAllowedError", "not_allowed"],
  ["SecurityError", "not_allowed"],
  ["NotFoundError", "none"],
  ["OverconstrainedError", "none"],
  ["NotReadableError", "in_use"],
  ["AbortError", "in_use"],
]);

export interface Loudspeaker {
  /** Plays 16-bit mono samples after the previous ones. */
  play(samples: ArrayBuffer): void;
  close(): void;
}

/** Opens an audio output for speech that arrives as a stream. */
export async function openLoudspeaker(rateHz: number): Promise<Loudspeaker> {
  // With a context at the rate of the audio, the browser resamples it for the device.
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
      close: () => closeOnce(context),
    };
  } catch (error) {
    closeOnce(context);
    throw error;
  }
}
