import type { ReplyStage, ReplyStageName } from "@parley/contract/transcripts";
import type { AnsweredTurn, StageEnd, Utterance } from "../hearing/utterance.ts";
import type { Reply, StageStart } from "../turn-state.ts";

/**
 * What the callee waited for until the turn was taken. Each stage counts only beyond the ones before it: recognition works
 * during the hold, so that only the rest of it is a delay.
 */
export function stagesOfTurn({ hold, pause }: Utterance, takenMs: number): readonly StageEnd[] {
  if (hold === null) return [{ stage: "hold", endMs: takenMs }];
  const { noticedMs, heardMs, workMs } = pause;
  const stages: StageEnd[] = [{ stage: "hold", endMs: hold.untilMs }];
  if (noticedMs !== null) stages.push({ stage: "detection", endMs: noticedMs });
  if (heardMs !== null && workMs !== null) stages.push({ stage: "recognition_queue", endMs: heardMs - workMs });
  if (heardMs !== null) stages.push({ stage: "recognition", endMs: heardMs });
  stages.push({ stage: "own_speech", endMs: hold.decidedMs }, { stage: "scheduling", endMs: takenMs });
  return stages;
}

/** Where the time went between the callee's last audio and our first, in whole milliseconds that add up to all of it. */
export function stagesOfReply(
  { waits, firstClauseMs, readyMs }: Pick<Reply, "waits" | "firstClauseMs" | "readyMs">,
  { stages, lastSpeechMs, takenMs }: Pick<AnsweredTurn, "stages" | "lastSpeechMs" | "takenMs">,
  startMs: number,
): readonly ReplyStage[] {
  const decidedMs = firstClauseMs ?? startMs;
  const deciding: StageStart[] = [{ stage: "flow", startMs: takenMs }, ...waits];
  return measure(lastSpeechMs, startMs, [
    ...stages,
    ...deciding.map(({ stage }, index) => ({ stage, endMs: deciding[index + 1]?.startMs ?? decidedMs })),
    { stage: "voice", endMs: readyMs ?? startMs },
    { stage: "playout", endMs: startMs },
  ]);
}

/** A stage that comes twice is listed once, at its first place. */
function measure(fromMs: number, untilMs: number, ends: readonly StageEnd[]): readonly ReplyStage[] {
  const lasted = new Map<ReplyStageName, number>();
  let passedMs = 0;
  for (const { stage, endMs } of ends) {
    // The sum is rounded, not the parts, so that no millisecond is lost or counted twice.
    const nextMs = Math.max(passedMs, Math.round(Math.min(endMs, untilMs) - fromMs));
    if (nextMs > passedMs) lasted.set(stage, (lasted.get(stage) ?? 0) + nextMs - passedMs);
    passedMs = nextMs;
  }
  return [...lasted].map(([stage, ms]) => ({ stage, ms }));
}
