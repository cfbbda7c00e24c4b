import { useQuery } from "@tanstack/react-query";
import { Square, Volume2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { voicesText } from "./text.ts";
import { fetchPreview, type Preview, voicesQuery } from "./voice-queries.ts";

interface ListenButtonProps extends Omit<Preview, "voice"> {
  /** Default: the voice of agents that name none. */
  readonly voice?: string | undefined;
  readonly label?: string;
  /** What the button does, where several have the same label. */
  readonly title?: string;
  readonly disabled?: boolean;
}

type Speaking =
  | { readonly state: "quiet" }
  | { readonly state: "fetching" }
  | { readonly state: "playing"; readonly stop: () => void };

/** Speaks a text as callees will hear it. */
export function ListenButton({
  voice,
  label = voicesText.listen,
  title,
  disabled = false,
  ...preview
}: ListenButtonProps) {
  const { data: voices = [] } = useQuery(voicesQuery);
  const toast = useToast();
  const [speaking, setSpeaking] = useState<Speaking>({ state: "quiet" });
  const now = useRef(speaking);
  now.current = speaking;
  // Leaving the page or the node stops playback.
  useEffect(() => () => (now.current.state === "playing" ? now.current.stop() : undefined), []);
  const chosen = voice ?? voices.find(({ isDefault }) => isDefault)?.id;

  const speak = async () => {
    if (speaking.state === "playing") return speaking.stop();
    if (chosen === undefined) return;
    setSpeaking({ state: "fetching" });
    try {
      const wav = await fetchPreview({ voice: chosen, ...preview });
      const stop = await playWav(wav, () => setSpeaking({ state: "quiet" }));
      setSpeaking({ state: "playing", stop });
    } catch (error) {
      setSpeaking({ state: "quiet" });
      toast({ text: errorText(error) });
    }
  };
  const isPlaying = speaking.state === "playing";
  return (
    <Button
      look="quiet"
      size="small"
      className="-my-1.5"
      disabled={disabled || preview.text.trim() === "" || chosen === undefined}
      isBusy={speaking.state === "fetching"}
      {...(title === undefined ? {} : { "aria-label": isPlaying ? voicesText.stopThis(title) : title })}
      onClick={() => void speak()}
    >
      {isPlaying ? <Square aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
      {isPlaying ? voicesText.stop : label}
    </Button>
  );
}

let context: AudioContext | null = null;

/** Plays fetched audio and stops what was playing before. */
async function playWav(bytes: ArrayBuffer, onEnd: () => void): Promise<() => void> {
  // The content security policy forbids blob URLs for media, so the audio is decoded instead of given to an element.
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
  const source = context.createBufferSource();
  source.buffer = await context.decodeAudioData(bytes);
  source.connect(context.destination);
  source.addEventListener("ended", onEnd, { once: true });
  source.start();
  return () => source.stop();
}
