import type { Trunk } from "@parley/contract/trunks";
import type { Tone } from "../../../ui/feedback/badge.tsx";
import { operatorTrunksText } from "./text.ts";

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
  if (!isEnabled) return { tone: "neutral", word: operatorTrunksText.off, sentence: operatorTrunksText.offMeaning };
  if (health.length === 0)
    return { tone: "neutral", word: operatorTrunksText.notSeenYet, sentence: operatorTrunksText.notSeenMeaning };
  const trouble = health.find((one) => one.trouble !== null)?.trouble ?? null;
  if (health.some(({ circuit }) => circuit === "open"))
    return {
      tone: "danger",
      word: operatorTrunksText.resting,
      sentence: operatorTrunksText.restingMeaning(trouble),
    };
  if (health.some(({ isReachable }) => isReachable === false))
    return {
      tone: "danger",
      word: operatorTrunksText.unreachable,
      sentence: operatorTrunksText.unreachableMeaning(trouble),
    };
  if (health.some(({ isRegistered }) => isRegistered === false))
    return {
      tone: "danger",
      word: operatorTrunksText.notRegistered,
      sentence: operatorTrunksText.notRegisteredMeaning(trouble),
    };
  if (health.some(({ circuit }) => circuit === "half_open"))
    return { tone: "warning", word: operatorTrunksText.beingTried, sentence: operatorTrunksText.beingTriedMeaning };
  if (registersAs !== null && health.every(({ isRegistered }) => isRegistered === true))
    return { tone: "accent", word: operatorTrunksText.registered, sentence: operatorTrunksText.registeredMeaning };
  return { tone: "accent", word: operatorTrunksText.reachable, sentence: operatorTrunksText.reachableMeaning };
}

export function formatShare(rate: number | null): string {
  return rate === null ? "–" : `${Math.round(rate * 100)}%`;
}
