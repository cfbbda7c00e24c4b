import { NamedTimers } from "@parley/time/named-timers";
import type { ScreeningWatch } from "../ports/call-screening.ts";
import type { ConversationSetup } from "../ports/voice-engine.ts";
import type { TimerName, TurnNews } from "../turns/turn-events.ts";
import type { CallScope } from "./call-scope.ts";
import type { CascadeParts } from "./cascade-parts.ts";
import { ClauseRenderer } from "./clause-renderer.ts";
import { Ear } from "./ear.ts";
import { Identification } from "./identification.ts";
import { LegTime } from "./leg-time.ts";
import { Mouth } from "./mouth.ts";
import { ReplyDesk } from "./reply-desk.ts";
import { WindowJudge } from "./window-judge.ts";

/** What one call hears, speaks and remembers with. */
export interface CallTools {
  readonly setup: ConversationSetup;
  readonly time: LegTime;
  readonly timers: NamedTimers<TimerName>;
  readonly ear: Ear;
  readonly windows: WindowJudge;
  readonly mouth: Mouth;
  readonly replies: ReplyDesk;
  readonly identification: Identification | null;
  /** From the answer on, where there is any. */
  screening: ScreeningWatch | null;
}

/** Everything is given back with the scope. */
export function openCallTools(
  parts: CascadeParts,
  setup: ConversationSetup,
  scope: CallScope,
  post: (news: TurnNews) => void,
  onOpeningReady: (error: unknown) => void,
): CallTools {
  const { line, brain, journal } = setup;
  const time = new LegTime(parts.clock, line.heard);
  const renderer = new ClauseRenderer(parts.synthesizer, setup.voiceId, (reason) =>
    journal.note({ type: "incident", what: "voice_changed", reason, atMs: time.nowMs() }),
  );
  scope.hold(() => renderer.close());
  const timers = new NamedTimers<TimerName>(parts.clock);
  scope.hold(() => timers.cancelAll());
  const ear = new Ear(line.heard, post);
  scope.hold(() => ear.close());
  const mouth = new Mouth(line.playout);
  const replies = new ReplyDesk({ brain, journal, renderer, mouth, post, nowMs: () => time.nowMs(), onOpeningReady });
  const identification = setup.identification
    ? new Identification({
        setup: setup.identification,
        mouth,
        renderer,
        onHeard: (heard) => replies.noteSaid(0, heard, false),
      })
    : null;
  scope.hold(() => identification?.close());
  const windows = new WindowJudge(line, parts.vad.windowSamples);
  return { setup, time, timers, ear, windows, mouth, replies, identification, screening: null };
}
