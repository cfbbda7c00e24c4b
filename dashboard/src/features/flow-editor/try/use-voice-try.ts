import type { Flow } from "@parley/contract/flow";
import { tryAgentByVoice } from "@parley/contract/routes/try-voice";
import { type TryVoiceCommand, TryVoiceNews } from "@parley/contract/try-voice";
import { useEffect, useRef, useState } from "react";
import { addressOf } from "../../../api/send.ts";
import {
  type Loudspeaker,
  type Microphone,
  type MicrophoneRefusal,
  NoMicrophone,
  openLoudspeaker,
  openMicrophone,
} from "../audio/audio-devices.ts";
import type { EditorStore } from "../model/editor-store.ts";
import type { SampleValues } from "../sample-values.ts";
import { hearNews, NOTHING_SAID, type VoiceTalk } from "./voice-try.ts";

/** From asking for the microphone to the end of the conversation. */
export type VoicePhase =
  | { readonly at: "rest" }
  | { readonly at: "asking" }
  | { readonly at: "connecting" }
  | { readonly at: "talking" }
  | { readonly at: "over" }
  | { readonly at: "refused"; readonly message: string };

const NOT_REACHED = "The connection was lost. Nothing is wrong with the agent; try again.";

/** A conversation with the agent through the microphone, with the same engine as on the phone. */
export function useVoiceTry(agentId: string, store: EditorStore) {
  const [phase, setPhase] = useState<VoicePhase>({ at: "rest" });
  const [talk, setTalk] = useState<VoiceTalk>(NOTHING_SAID);
  const [level, setLevel] = useState(0);
  const [flow, setFlow] = useState<Flow | null>(null);
  const line = useRef<Line | null>(null);
  useEffect(
    () => () => {
      line.current?.close();
      store.setActiveNode(null);
      store.setPath([]);
    },
    [store],
  );

  const hear = (news: TryVoiceNews, now: VoiceTalk): VoiceTalk => {
    const next = hearNews(now, news);
    if (news.type === "ready") setPhase({ at: "talking" });
    if (news.type === "refused") setPhase({ at: "refused", message: news.message });
    if (news.type === "ended") setPhase({ at: "over" });
    if (next.path !== now.path) {
      store.setPath(next.path);
      store.setActiveNode(next.path.at(-1) ?? null);
    }
    return next;
  };

  const begin = async (variables: SampleValues) => {
    line.current?.close();
    const tried = store.getSnapshot().flow;
    let now = NOTHING_SAID;
    setTalk(now);
    setFlow(tried);
    setLevel(0);
    setPhase({ at: "asking" });
    try {
      line.current = await openLine(agentId, {
        start: { type: "start", sampleRateHz: 16_000, flow: tried, variables: filled(variables) },
        onConnecting: () => setPhase({ at: "connecting" }),
        onLevel: setLevel,
        onNews: (news) => {
          now = hear(news, now);
          setTalk(now);
        },
        onClosed: () => {
          setLevel(0);
          setPhase((last) =>
            last.at === "refused" || last.at === "over" ? last : { at: "refused", message: NOT_REACHED },
          );
        },
      });
    } catch (error) {
      const message = error instanceof NoMicrophone ? microphoneWords(error.refusal) : NOT_REACHED;
      setPhase({ at: "refused", message });
    }
  };
  return {
    phase,
    talk,
    level,
    flow,
    begin,
    press: (key: string) => line.current?.send({ type: "press", keys: key }),
    hangUp: () => line.current?.send({ type: "hang_up" }),
  };
}

interface LineOptions {
  readonly start: TryVoiceCommand & { readonly type: "start" };
  onConnecting(): void;
  onLevel(peak: number): void;
  onNews(news: TryVoiceNews): void;
  onClosed(): void;
}

interface Line {
  send(command: TryVoiceCommand): void;
  close(): void;
}

/** Microphone, loudspeaker and socket: all three, or none. */
async function openLine(
  agentId: string,
  { start, onConnecting, onLevel, onNews, onClosed }: LineOptions,
): Promise<Line> {
  let socket: WebSocket | null = null;
  let isReady = false;
  let speaker: Loudspeaker | null = null;
  let microphone: Microphone | null = null;
  const close = () => {
    microphone?.close();
    speaker?.close();
    socket?.close();
  };
  microphone = await openMicrophone((samples, peak) => {
    onLevel(peak);
    if (isReady && socket?.readyState === WebSocket.OPEN) socket.send(samples);
  });
  onConnecting();
  try {
    speaker = await openLoudspeaker(8000);
  } catch (error) {
    close();
    throw error;
  }
  const address = addressOf(tryAgentByVoice, { params: { id: agentId } });
  socket = new WebSocket(location.origin.replace(/^http/, "ws") + address);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => socket.send(JSON.stringify(start)));
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== "string") return speaker.play(data);
    const news = TryVoiceNews.safeParse(JSON.parse(data));
    if (!news.success) return;
    isReady ||= news.data.type === "ready";
    onNews(news.data);
  });
  socket.addEventListener("close", () => {
    // The agent's last words are still on their way to the ear.
    setTimeout(() => speaker.close(), 1000);
    microphone.close();
    onClosed();
  });
  return {
    send: (command) => (socket.readyState === WebSocket.OPEN ? socket.send(JSON.stringify(command)) : undefined),
    close,
  };
}

function filled(variables: SampleValues): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}

const WORDS: Readonly<Record<MicrophoneRefusal, string>> = {
  not_allowed: "The browser keeps the microphone from this page. Allow it beside the address, then try again.",
  none: "No microphone was found. Connect one and try again, or try the agent by text.",
  in_use: "Another program holds the microphone. Close it and try again.",
  not_secure:
    "Browsers give the microphone only to pages that came by https or from this machine. Open the dashboard that way.",
  failed: "The microphone could not be opened. Try again, or try the agent by text.",
};

/** What to do about a microphone that is not there. */
function microphoneWords(refusal: MicrophoneRefusal): string {
  return WORDS[refusal];
}
