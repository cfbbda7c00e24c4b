import type { PATIENCES } from "@parley/contract/flow-fields";

type Patience = (typeof PATIENCES)[number];

/** How long a callee may pause, by the names of the turn settings. `normal` is what they are anyway. */
const SETTINGS: Readonly<Record<Patience, Readonly<Record<string, number>>>> = {
  // Answers sooner, and cuts in on whoever thinks while speaking.
  quick: {
    completeAnswerHoldMs: 150,
    partialAnswerHoldMs: 800,
    freeSpeechHoldMinMs: 350,
    freeSpeechHoldMaxMs: 500,
    unfinishedHoldMs: 1_000,
    missingDigitsHoldMs: 1_000,
  },
  normal: {},
  // For numbers that have to be looked up, and for callees who take their time.
  patient: {
    completeAnswerHoldMs: 400,
    partialAnswerHoldMs: 2_000,
    freeSpeechHoldMinMs: 1_000,
    freeSpeechHoldMaxMs: 1_500,
    unfinishedHoldMs: 2_500,
    digitsHoldMs: 500,
    missingDigitsHoldMs: 3_000,
    slowCalleeHoldMaxMs: 2_500,
  },
};

export function patienceSettings(patience: Patience): Readonly<Record<string, number>> {
  return SETTINGS[patience];
}
