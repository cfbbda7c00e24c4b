/** How a key press reached us: with the sound (RFC 4733 events or tones), or by SIP INFO. */
export type KeyWay = "sound" | "info";

interface Press {
  readonly way: KeyWay;
  readonly key: string;
  readonly atMs: number;
}

/** The sound tells a key when it is released and an INFO may come when it goes down; few hold one for longer. */
const TWIN_WITHIN_MS = 2_000;
/** Nobody presses more keys in that time. */
const PRESSES_MAX = 32;

/**
 * Some gateways tell every key both ways. Of two that are the same but for the way, close together, only the first
 * counts; two of the same way are two presses.
 */
export function createPressedOnce(): (way: KeyWay, key: string, nowMs: number) => boolean {
  let unpaired: Press[] = [];
  return (way, key, nowMs) => {
    unpaired = unpaired.filter(({ atMs }) => nowMs - atMs <= TWIN_WITHIN_MS).slice(1 - PRESSES_MAX);
    const twin = unpaired.findIndex((press) => press.way !== way && press.key === key);
    if (twin >= 0) unpaired.splice(twin, 1);
    else unpaired.push({ way, key, atMs: nowMs });
    return twin < 0;
  };
}
