import type { Signal, SignalStep } from "./signal.ts";

/** ITU-T E.180: a tone of the network is sent at -10 dBm0, divided among its sines. */
const NETWORK_DBFS = -17;

function sound(frequenciesHz: readonly number[], durationMs: number): SignalStep {
  return { frequenciesHz, durationMs };
}

function pause(durationMs: number): SignalStep {
  return { frequenciesHz: [], durationMs };
}

function cadence(...steps: SignalStep[]): Signal {
  return { steps, repeats: true, levelDbfs: NETWORK_DBFS };
}

export type ToneRegion = "us" | "uk" | "eu";

/** What the caller hears while it rings. */
export const RINGBACK: Record<ToneRegion, Signal> = {
  us: cadence(sound([440, 480], 2000), pause(4000)),
  uk: cadence(sound([400, 450], 400), pause(200), sound([400, 450], 400), pause(2000)),
  eu: cadence(sound([425], 1000), pause(4000)),
};

export const BUSY: Record<ToneRegion, Signal> = {
  us: cadence(sound([480, 620], 500), pause(500)),
  uk: cadence(sound([400], 375), pause(375)),
  eu: cadence(sound([425], 500), pause(500)),
};

/** No way through; in America called reorder or fast busy. */
export const CONGESTION: Record<ToneRegion, Signal> = {
  us: cadence(sound([480, 620], 250), pause(250)),
  uk: cadence(sound([400], 400), pause(350), sound([400], 225), pause(525)),
  eu: cadence(sound([425], 250), pause(250)),
};

/** The three rising tones before "the number you have dialled...": E.180 and the four American forms of them. */
export const SPECIAL_INFORMATION = {
  international: specialInformation([950, 330], [1400, 330], [1800, 330]),
  vacantCode: specialInformation([985.2, 380], [1370.6, 274], [1776.7, 380]),
  intercept: specialInformation([913.8, 274], [1370.6, 274], [1776.7, 380]),
  reorder: specialInformation([913.8, 274], [1428.5, 380], [1776.7, 380]),
  noCircuit: specialInformation([985.2, 380], [1428.5, 380], [1776.7, 380]),
} as const satisfies Record<string, Signal>;

function specialInformation(...tones: [frequencyHz: number, durationMs: number][]): Signal {
  const steps = tones.map(([frequencyHz, durationMs]) => sound([frequencyHz], durationMs));
  return { steps, repeats: false, levelDbfs: NETWORK_DBFS };
}

/** What a fax machine sends when it calls (T.30 CNG), half a second in every three and a half. */
export const FAX_CALLING: Signal = cadence(sound([1100], 500), pause(3000));

/** What a fax machine or a modem answers with (V.25 with phase reversals, T.30 CED). */
export const FAX_ANSWER: Signal = {
  steps: [{ frequenciesHz: [2100], durationMs: 3300, reversalMs: 450 }],
  repeats: false,
  levelDbfs: NETWORK_DBFS,
};

/** "Please leave a message after the tone." */
export const VOICEMAIL_BEEP: Signal = { steps: [sound([1000], 400)], repeats: false, levelDbfs: -15 };
