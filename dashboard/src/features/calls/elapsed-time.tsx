import type { Call } from "@parley/contract/calls";
import { useEffect, useState } from "react";
import { formatClock } from "../../ui/format.ts";

const TICK_MS = 1000;

/** How long a call has been talking, or waiting to be answered. It counts on its own. */
export function ElapsedTime({ call }: { readonly call: Pick<Call, "answeredAt" | "createdAt" | "phase"> }) {
  const nowMs = useNow(call.phase !== "ended");
  const seconds = elapsedSeconds(call, nowMs);
  return seconds === null ? null : <span className="tabular-nums">{formatClock(seconds)}</span>;
}

/** The current time, once a second. */
export function useNow(isTicking: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return nowMs;
}

/** Null for a call that is scheduled, whose waiting time says nothing. */
export function elapsedSeconds(
  { answeredAt, createdAt, phase }: Pick<Call, "answeredAt" | "createdAt" | "phase">,
  nowMs: number,
): number | null {
  if (phase === "scheduled" || phase === "ended") return null;
  return Math.max(0, (nowMs - Date.parse(answeredAt ?? createdAt)) / 1000);
}
