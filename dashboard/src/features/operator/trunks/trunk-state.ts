import type { Trunk } from "@parley/contract/trunks";
import type { Tone } from "../../../ui/feedback/badge.tsx";

interface TrunkState {
  readonly tone: Tone;
  readonly word: string;
  /** What it means for calls, and the newest trouble if there is any. */
  readonly sentence: string;
}

/** The state of a trunk, as its workers see it; the worst of them counts. */
export function trunkState({
  isEnabled,
  health,
  registersAs,
}: Pick<Trunk, "isEnabled" | "health" | "registersAs">): TrunkState {
  if (!isEnabled) return { tone: "neutral", word: "Off", sentence: "It gets no calls until it is switched on." };
  if (health.length === 0)
    return { tone: "neutral", word: "Not seen yet", sentence: "No worker has used it or asked for it so far." };
  const trouble = health.find((one) => one.trouble !== null)?.trouble;
  const because = trouble ? ` ${trouble}` : "";
  if (health.some(({ circuit }) => circuit === "open"))
    return {
      tone: "danger",
      word: "Resting",
      sentence: `It failed too often and gets no calls for a while.${because}`,
    };
  if (health.some(({ isReachable }) => isReachable === false))
    return { tone: "danger", word: "Unreachable", sentence: `It does not answer.${because}` };
  if (health.some(({ isRegistered }) => isRegistered === false))
    return { tone: "danger", word: "Not registered", sentence: `It does not take our registration.${because}` };
  if (health.some(({ circuit }) => circuit === "half_open"))
    return { tone: "warning", word: "Being tried", sentence: "After failures it gets one call to show that it works." };
  if (registersAs !== null && health.every(({ isRegistered }) => isRegistered === true))
    return { tone: "accent", word: "Registered", sentence: "It knows us and takes calls." };
  return { tone: "accent", word: "Reachable", sentence: "It answers and takes calls." };
}

export function formatShare(rate: number | null): string {
  return rate === null ? "–" : `${Math.round(rate * 100)}%`;
}
