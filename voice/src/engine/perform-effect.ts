import { heardUntilMs } from "../turns/replies/heard-text.ts";
import type { TurnEffect } from "../turns/turn-effects.ts";
import type { TimerName } from "../turns/turn-events.ts";
import type { TurnSettings } from "../turns/turn-settings.ts";
import type { CallTools } from "./call-tools.ts";

interface Performance {
  readonly tools: CallTools;
  readonly settings: TurnSettings;
  readonly onTimer: (timer: TimerName, dueMs: number) => void;
}

/** Executes an effect of the machine. Starts everything and waits for nothing. */
export function performEffect(effect: TurnEffect, { tools, settings, onTimer }: Performance): void {
  const { listener, playout, replies, timers, time, options } = tools;
  switch (effect.type) {
    case "playout.clear":
      return playout.clear();
    case "reply.abort":
      return replies.abort(effect.turnId);
    case "transcript.commit_heard": {
      const untilMs = effect.wasCut
        ? heardUntilMs(playout.positionMs, options.line.roundTripMs(), settings.heardDelayMs)
        : null;
      return replies.commitHeard(effect.turnId, untilMs);
    }
    case "opening.prepare":
      return replies.prepareOpening();
    case "brain.permit":
      return options.brain.permitEffects();
    case "brain.disregard":
      return replies.disregardCallee();
    case "reply.open":
      return replies.open(effect.turnId);
    case "reply.play":
      tools.identification?.stopWaiting();
      return replies.play(effect.turnId);
    case "reply.start":
      return replies.start(effect.turnId, effect.turn);
    case "reply.prepare":
      return replies.prepare(effect.turnId, effect.turn);
    case "reply.commit":
      return replies.commit(effect.turnId);
    case "reply.withdraw":
      return replies.withdraw(effect.turnId);
    case "reply.recite":
      return replies.recite(effect.turnId, effect.text);
    case "reply.undo":
      return replies.undo(effect.turnId);
    case "playout.duck":
      return playout.duck(effect.changeDb, effect.rampMs);
    case "playout.restore":
      return playout.restore(effect.rampMs);
    case "playout.identify":
      return tools.identification?.play();
    case "playout.ask_moment":
      return tools.moment?.play();
    case "utterance.open":
      return listener.open(effect.fromMs);
    case "utterance.cut":
      return listener.cut(effect.fromMs);
    case "utterance.close":
      return listener.closeUtterance();
    case "recognition.ask":
      return listener.ask(effect);
    case "recognition.abort":
      return listener.abort(effect.askId);
    case "timer.set": {
      const { timer, dueMs } = effect;
      return timers.set(timer, dueMs - time.nowMs(), () => onTimer(timer, dueMs));
    }
    case "timer.cancel":
      return timers.cancel(effect.timer);
    case "screening.words":
      return tools.screening?.hearWords(effect);
    case "line.send_dtmf":
      return options.line.sendDtmf(effect.keys);
    case "line.transfer":
      return options.line.transfer(effect.request);
    case "line.hangup":
      return options.line.hangup();
    case "journal.note":
      return options.journal.note(effect.entry);
    case "incident":
      return options.journal.note(effect);
  }
}
