import { placeholderNames } from "@parley/flow/placeholders";
import { useQuery } from "@tanstack/react-query";
import { Square, Volume2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { fetchPreview, voicesQuery } from "../editor-queries.ts";
import { useSampleValues } from "../sample-values.ts";
import { useFieldScope } from "./field-scope.tsx";

interface SpeakButtonProps {
  readonly text: string;
  /** Default: the voice of the agent. */
  readonly voice?: string;
  readonly label?: string;
}

type Speaking =
  | { readonly state: "quiet" }
  | { readonly state: "fetching" }
  | { readonly state: "playing"; readonly stop: () => void };

/** Speaks a text in the voice that callees will hear. */
export function SpeakButton({ text, voice, label = "Hear it" }: SpeakButtonProps) {
  const { agentId, flow } = useFieldScope();
  const samples = useSampleValues(agentId);
  const { data: voices = [] } = useQuery(voicesQuery);
  const toast = useToast();
  const [speaking, setSpeaking] = useState<Speaking>({ state: "quiet" });
  const now = useRef(speaking);
  now.current = speaking;
  // Leaving the node stops playback.
  useEffect(() => () => (now.current.state === "playing" ? now.current.stop() : undefined), []);
  const chosen = voice ?? flow.settings?.voice ?? voices.find(({ isDefault }) => isDefault)?.id;

  const speak = async () => {
    if (speaking.state === "playing") return speaking.stop();
    if (chosen === undefined) return;
    setSpeaking({ state: "fetching" });
    try {
      const sound = await fetchPreview({ voice: chosen, text, variables: withNames(text, samples) });
      const stop = await playWav(sound, () => setSpeaking({ state: "quiet" }));
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
      disabled={text.trim() === "" || chosen === undefined}
      isBusy={speaking.state === "fetching"}
      onClick={() => void speak()}
    >
      {isPlaying ? <Square aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
      {isPlaying ? "Stop" : label}
    </Button>
  );
}

/** A name without an example is spoken as the name itself, so that the sentence can be judged. */
function withNames(text: string, samples: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(placeholderNames(text).map((name) => [name, samples[name] || name.replaceAll("_", " ")]));
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
