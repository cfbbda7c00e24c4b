import type { Call } from "@parley/contract/calls";
import { getRecording } from "@parley/contract/routes/calls";
import { useQuery } from "@tanstack/react-query";
import { Download, Mic, Pause, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { addressOf } from "../../../api/send.ts";
import { formatClock } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { peaksQuery } from "../call-queries.ts";
import { ListenIn } from "./listen-in.tsx";
import type { Playback } from "./use-playback.ts";
import { type RecordingGap, Waveform } from "./waveform.tsx";

const NO_PEAKS: readonly number[] = [];
const NO_GAPS: readonly RecordingGap[] = [];
/** More are only counted. */
const GAPS_NAMED = 3;
const SPEEDS = [1, 1.25, 1.5, 2];

/** The recording, drawn and played. While the call is live there is none to play yet, and it says so. */
export function Player({ call, playback }: { readonly call: Call; readonly playback: Playback }) {
  const isReady = call.recording?.status === "ready";
  return (
    <section aria-label="Recording" className="rounded-2xl border border-line bg-surface px-4 py-4 sm:px-5">
      {isReady ? (
        <ReadyPlayer call={call} playback={playback} />
      ) : (
        <>
          <NoRecording call={call} />
          <ListenIn call={call} />
        </>
      )}
    </section>
  );
}

function ReadyPlayer({ call, playback }: { readonly call: Call; readonly playback: Playback }) {
  const { data: peaks } = useQuery(peaksQuery(call.mode, call.id));
  const [speed, setSpeed] = useState(1);
  const seconds = call.recording?.durationSeconds ?? peaks?.durationSeconds ?? 0;
  const address = addressOf(getRecording, { params: { id: call.id }, mode: call.mode });
  const { audio, isPlaying, positionMs } = playback;
  useFrames(playback);
  const toggle = () =>
    isPlaying ? audio.current?.pause() : playback.playFrom(positionMs >= seconds * 1000 ? 0 : positionMs);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is in step with it. */}
      <audio
        ref={audio}
        src={address}
        preload="metadata"
        onPlay={() => playback.setPlaying(true)}
        onPause={() => playback.setPlaying(false)}
        onTimeUpdate={(event) => playback.setPositionMs(event.currentTarget.currentTime * 1000)}
      />
      <Waveform
        callee={peaks?.callee ?? NO_PEAKS}
        agent={peaks?.agent ?? NO_PEAKS}
        seconds={seconds}
        positionMs={positionMs}
        gaps={call.recording?.gaps ?? NO_GAPS}
        onMove={playback.moveTo}
      />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button look="primary" size="icon" onClick={toggle} aria-label={isPlaying ? "Pause" : "Play the recording"}>
          {isPlaying ? (
            <Pause aria-hidden="true" className="fill-current" />
          ) : (
            <Play aria-hidden="true" className="fill-current" />
          )}
        </Button>
        <p className="text-sm text-ink-soft tabular-nums">
          <span className="text-ink" data-testid="position">
            {formatClock(positionMs / 1000)}
          </span>{" "}
          / {formatClock(seconds)}
        </p>
        <Legend />
        <div className="ml-auto flex items-center gap-1">
          <Button
            look="quiet"
            size="small"
            aria-label={`Speed ${speed}, change it`}
            onClick={() => {
              const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
              if (audio.current) audio.current.playbackRate = next;
              setSpeed(next);
            }}
          >
            {speed}×
          </Button>
          <a
            href={address}
            download={`${call.id}.wav`}
            aria-label="Download the recording"
            className={buttonClass({ look: "quiet", size: "smallIcon" })}
          >
            <Download aria-hidden="true" />
          </a>
        </div>
      </div>
      {call.recording?.partial ? (
        <p className="mt-2 text-sm text-warning-text">
          Part of this recording is missing{whereMissing(call.recording.gaps)}. {call.recording.reason}
        </p>
      ) : null}
    </>
  );
}

function whereMissing(gaps: readonly RecordingGap[]): string {
  if (gaps.length === 0) return "";
  const named = gaps
    .slice(0, GAPS_NAMED)
    .map(({ startMs, endMs }) => `from ${formatClock(startMs / 1000)} to ${formatClock(endMs / 1000)}`);
  const more = gaps.length - named.length;
  return `: ${named.join(", ")}${more > 0 ? ` and in ${more} more places` : ""}`;
}

/** The browser tells the position a few times a second; the line in the picture moves with every frame. */
function useFrames({ audio, isPlaying, setPositionMs }: Playback): void {
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function look() {
      if (audio.current) setPositionMs(audio.current.currentTime * 1000);
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [audio, isPlaying, setPositionMs]);
}

function Legend() {
  return (
    <p className="hidden gap-4 text-xs text-ink-soft sm:flex">
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-full bg-accent" />
        Agent, above
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-full bg-line-strong" />
        Callee, below
      </span>
    </p>
  );
}

function NoRecording({ call }: { readonly call: Call }) {
  return (
    <p className="flex items-center gap-3 py-2 text-sm text-ink-soft">
      <Mic aria-hidden="true" className="size-5 shrink-0" />
      {whyNone(call)}
    </p>
  );
}

function whyNone({ recording, phase, answeredAt }: Call): string {
  if (recording?.status === "recording") return "Recording. It can be played when the call has ended.";
  if (recording?.status === "failed") return `There is no recording. ${recording.reason ?? ""}`;
  if (recording?.status === "erased") return `The recording was erased. ${recording.reason ?? ""}`;
  if (phase !== "ended") return "Recording begins when somebody answers.";
  return answeredAt ? "This call was not recorded." : "Nobody answered, so there is no recording.";
}
