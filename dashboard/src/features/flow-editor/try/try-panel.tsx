import type { Flow } from "@parley/contract/flow";
import { lazy, Suspense, useState } from "react";
import { Segmented } from "../../../ui/segmented.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { TryText } from "./try-text.tsx";

const TryVoice = lazy(() => import("./try-voice.tsx").then((module) => ({ default: module.TryVoice })));
const TryCall = lazy(() => import("./try-call.tsx").then((module) => ({ default: module.TryCall })));

interface TryPanelProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

const WAYS = [
  { value: "text", label: "Text" },
  { value: "voice", label: "Voice" },
  { value: "call", label: "Simulated call" },
] as const;
type Way = (typeof WAYS)[number]["value"];
const PARTS = { text: TryText, voice: TryVoice, call: TryCall } as const;

/** Trying the agent: by text, by voice, or in a call to somebody who is simulated. */
export function TryPanel(props: TryPanelProps) {
  const [way, setWay] = useState<Way>("text");
  const Part = PARTS[way];
  return (
    <div className="space-y-4">
      <Segmented label="How to try it" value={way} choices={WAYS} onChoose={(next) => setWay(next)} />
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <Part {...props} />
      </Suspense>
    </div>
  );
}
