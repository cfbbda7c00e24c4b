import type { Call } from "@parley/contract/calls";
import { Ear, EarOff, Volume2, VolumeX } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { formatClock } from "../../ui/format.ts";
import { type Listening, useListening } from "./use-listening.ts";

/** Lets a person hear a call while it goes on. Neither side notices. */
export function ListenIn({ call }: { readonly call: Call }) {
  const { listening, start, stop, mute } = useListening(call.id, call.mode);
  const isOnLine = call.phase === "ringing" || call.phase === "talking";
  const isOpen = listening.kind === "opening" || listening.kind === "heard";
  if (!isOnLine && !isOpen && listening.kind !== "over") return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-3">
      {isOpen ? (
        <Button onClick={stop}>
          <EarOff aria-hidden="true" />
          Stop listening
        </Button>
      ) : isOnLine ? (
        <Button onClick={start}>
          <Ear aria-hidden="true" />
          Listen in
        </Button>
      ) : null}
      {listening.kind === "heard" ? (
        <>
          <Button
            look="quiet"
            size="icon"
            aria-label={listening.isMuted ? "Hear it again" : "Mute"}
            onClick={() => mute(!listening.isMuted)}
          >
            {listening.isMuted ? <VolumeX aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
          </Button>
          <div aria-hidden="true" className="flex min-w-40 flex-1 flex-col gap-1.5">
            <Meter name="Agent" level={listening.levels.agent} colour="bg-accent" />
            <Meter name="Callee" level={listening.levels.callee} colour="bg-line-strong" />
          </div>
          <span className="text-sm text-ink-soft tabular-nums" data-testid="listened">
            {formatClock(listening.seconds)}
          </span>
        </>
      ) : null}
      <p role="status" className="text-sm text-ink-soft">
        {inPlain(listening)}
      </p>
    </div>
  );
}

function inPlain(listening: Listening): string {
  switch (listening.kind) {
    case "off":
      return "Neither side notices. That you listened is in the audit log.";
    case "opening":
      return "Opening the line…";
    case "heard":
      return listening.isMuted ? "Muted" : "Listening";
    case "over":
      return listening.why;
  }
}

function Meter({ name, level, colour }: { readonly name: string; readonly level: number; readonly colour: string }) {
  return (
    <span className="flex items-center gap-2 text-xs text-ink-soft">
      <span className="w-12">{name}</span>
      <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-sunken">
        {/* Loudness is heard by its logarithm: the root comes near enough for a bar. */}
        <span
          className={`block h-full rounded-full ${colour}`}
          style={{ width: `${Math.round(100 * Math.sqrt(level))}%` }}
        />
      </span>
    </span>
  );
}
