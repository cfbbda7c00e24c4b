import type { Clock } from "@parley/time/clock";
import type { MediaNegotiation } from "./invite/invite-events.ts";

type Reporter = (error: unknown) => void;

/** Runs something whose failure must not reach the event loop, where it would end the process. */
export function guarded<Arguments extends unknown[]>(
  run: (...values: Arguments) => void,
  reportError: Reporter,
): (...values: Arguments) => void {
  return (...values) => {
    try {
      run(...values);
    } catch (error) {
      reportError(error);
    }
  };
}

/** A clock whose timers never throw. */
export function guardClock(clock: Clock, reportError: Reporter): Clock {
  return {
    now: () => clock.now(),
    setTimer: (delayMs, fire) => clock.setTimer(delayMs, guarded(fire, reportError)),
  };
}

/** If the media negotiation throws, the call continues unchanged. */
export function guardMedia(media: MediaNegotiation, firstOffer: string, reportError: Reporter): MediaNegotiation {
  return {
    answerOffer(offer) {
      try {
        return media.answerOffer(offer);
      } catch (error) {
        reportError(error);
        return { refuse: 500 };
      }
    },
    currentOffer() {
      try {
        return media.currentOffer();
      } catch (error) {
        reportError(error);
        return firstOffer;
      }
    },
    acceptAnswer: guarded(media.acceptAnswer, reportError),
  };
}
