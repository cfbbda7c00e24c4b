import { DEFAULT_DTMF_PACE } from "@parley/audio/dtmf";
import type { SimulatedCalleeStep } from "../carrier.ts";
import { speechDurationMs } from "./sound/syllables.ts";

export interface QuietScriptParts {
  readonly script: readonly SimulatedCalleeStep[];
  readonly later: (delayMs: number, fire: () => void) => void;
  readonly onKey: (pressed: { readonly key: string; readonly durationMs: number }) => void;
  readonly hangUp: () => void;
}

/**
 * Follows a script in a network without sound: everything takes the time it would take, keys are pressed, and nobody
 * hears anything. After the last step the callee stays on the line.
 */
export function followScriptQuietly({ script, later, onKey, hangUp }: QuietScriptParts): void {
  const { keyMs, gapMs } = DEFAULT_DTMF_PACE;

  function follow(index: number): void {
    const step = script[index];
    if (step === undefined) return;
    const goOn = () => follow(index + 1);
    if ("hangUp" in step) hangUp();
    else if ("waitMs" in step) later(step.waitMs, goOn);
    // Nobody is heard to have a turn.
    else if ("waitForTurn" in step) goOn();
    else if ("press" in step) press(Array.from(step.press), goOn);
    else later(speechDurationMs(step.say) + ("interruptAfterMs" in step ? step.interruptAfterMs : 0), goOn);
  }

  function press([key, ...others]: readonly string[], goOn: () => void): void {
    if (key === undefined) {
      goOn();
      return;
    }
    later(keyMs + gapMs, () => {
      onKey({ key, durationMs: keyMs });
      press(others, goOn);
    });
  }

  follow(0);
}
