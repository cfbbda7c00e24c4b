import { listenToCall } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { useCallback, useEffect, useRef, useState } from "react";
import { addressOf } from "../../api/send.ts";
import { type Levels, LiveSound } from "./live-sound.ts";

/** Nobody listens; the line is being opened; it is heard; or it ended, and why. */
export type Listening =
  | { readonly kind: "off" }
  | { readonly kind: "opening" }
  | { readonly kind: "heard"; readonly levels: Levels; readonly seconds: number; readonly isMuted: boolean }
  | { readonly kind: "over"; readonly why: string };

export interface ListeningControls {
  readonly listening: Listening;
  start(): void;
  stop(): void;
  mute(isMuted: boolean): void;
}

const WHY: Readonly<Record<number, string>> = {
  1000: "The call is over.",
  1001: "The service is restarting. Try again in a moment.",
  1008: "You may no longer listen in.",
};
const NEVER_OPENED = "It could not be listened to: nobody is on the line, or the service is away.";
const BROKE_OFF = "The sound broke off. Try again.";
const BYTES_PER_SAMPLE = 4;

/** Listens in on a live call. It ends with the page, and nothing of it is kept. */
export function useListening(callId: string, mode: Mode): ListeningControls {
  const [listening, setListening] = useState<Listening>({ kind: "off" });
  const line = useRef<{ readonly socket: WebSocket; sound: LiveSound | null } | null>(null);

  const leave = useCallback(() => {
    const left = line.current;
    line.current = null;
    left?.socket.close();
    left?.sound?.close();
  }, []);
  useEffect(() => leave, [leave]);

  const start = () => {
    leave();
    setListening({ kind: "opening" });
    const address = new URL(addressOf(listenToCall, { params: { id: callId }, mode }), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    const opened: NonNullable<typeof line.current> = { socket, sound: null };
    line.current = opened;
    let rateHz = 8000;
    let seconds = 0;
    socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (line.current !== opened) return;
      if (typeof data === "string") {
        rateHz = (JSON.parse(data) as { sampleRateHz: number }).sampleRateHz;
        opened.sound = new LiveSound(rateHz);
        return;
      }
      if (!opened.sound) return;
      const levels = opened.sound.push(data);
      seconds += data.byteLength / BYTES_PER_SAMPLE / rateHz;
      setListening((now) => ({ kind: "heard", levels, seconds, isMuted: now.kind === "heard" && now.isMuted }));
    });
    socket.addEventListener("close", ({ code }) => {
      if (line.current !== opened) return;
      const wasOpen = opened.sound !== null;
      leave();
      setListening({ kind: "over", why: wasOpen ? (WHY[code] ?? BROKE_OFF) : NEVER_OPENED });
    });
  };
  const stop = () => {
    leave();
    setListening({ kind: "off" });
  };
  const mute = (isMuted: boolean) => {
    line.current?.sound?.mute(isMuted);
    setListening((now) => (now.kind === "heard" ? { ...now, isMuted } : now));
  };
  return { listening, start, stop, mute };
}
