import type { Call } from "@parley/contract/calls";
import { getRecording } from "@parley/contract/routes/calls";
import { useQuery } from "@tanstack/react-query";
import { Download, Mic, Pause, Play } from "lucide-react";
import { useEffect, useId, useMemo, useState } from "react";
import { addressOf } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { locale } from "../../../languages/language.ts";
import { formatClock } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { peaksQuery } from "../call-queries.ts";
import { ListenIn } from "./listen-in.tsx";
import { callPageText } from "./text.tsx";
import { type Playback, usePlayerKeys } from "./use-playback.ts";

const NO_PEAKS: readonly number[] = [];
const NO_GAPS: readonly RecordingGap[] = [];
/** More are only counted. */
const GAPS_NAMED = 3;
const SPEEDS = [1, 1.25, 1.5, 2];

/** The recording, drawn and played. While the call is live there is none to play yet, and this says so. */
export function Player({ call, playback }: { readonly call: Call; readonly playback: Playback }) {
  const isReady = call.recording?.status === "ready";
  return (
    <section
      aria-label={callPageText.recording}
      // Stays in view while the transcript scrolls below it. A low screen, such as of a phone on its side, has no room for that.
      className="z-10 rounded-2xl border border-line bg-surface p-3 sm:px-5 sm:py-4 [@media(min-height:28rem)]:sticky [@media(min-height:28rem)]:top-16"
    >
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
  usePlayerKeys({ playback, lengthMs: seconds * 1000, toggle });
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is in step with it. */}
      <audio
        ref={audio}
        src={address}
        // Only playing it counts as listening in the audit log, and the length is known without it.
        preload="none"
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
      <div className="mt-2 flex flex-wrap items-center gap-3 sm:mt-3">
        <Button
          look="primary"
          size="icon"
          onClick={toggle}
          aria-label={isPlaying ? callPageText.pause : callPageText.playRecording}
          aria-keyshortcuts={"Space"}
        >
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
            aria-label={callPageText.changeSpeed(formatSpeed(speed))}
            onClick={() => {
              const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
              if (audio.current) audio.current.playbackRate = next;
              setSpeed(next);
            }}
          >
            {formatSpeed(speed)}
          </Button>
          <a
            href={address}
            download={`${call.id}.wav`}
            aria-label={callPageText.downloadRecording}
            className={buttonClass({ look: "quiet", size: "smallIcon" })}
          >
            <Download aria-hidden="true" />
          </a>
        </div>
      </div>
      {call.recording?.partial ? (
        <p className="mt-2 text-sm text-warning-text">
          {whatIsMissing(call.recording.gaps)} {apiText.wordSentence(call.recording.reason ?? "")}
        </p>
      ) : null}
    </>
  );
}

function whatIsMissing(gaps: readonly RecordingGap[]): string {
  const named = gaps
    .slice(0, GAPS_NAMED)
    .map(({ startMs, endMs }) => ({ from: formatClock(startMs / 1000), to: formatClock(endMs / 1000) }));
  return callPageText.recordingMissing(named, gaps.length - named.length);
}

const formatSpeed = (speed: number) => `${speed.toLocaleString(locale)}×`;

/** The browser reports the position a few times a second; the cursor moves with every frame. */
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
        {callPageText.agentAbove}
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-full bg-line-strong" />
        {callPageText.calleeBelow}
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
  if (recording?.status === "recording") return callPageText.stillRecording;
  if (recording?.status === "failed")
    return `${callPageText.noRecording} ${apiText.wordSentence(recording.reason ?? "")}`;
  if (recording?.status === "erased")
    return `${callPageText.recordingErased} ${apiText.wordSentence(recording.reason ?? "")}`;
  if (phase !== "ended") return callPageText.recordingNotBegun;
  return answeredAt ? callPageText.notRecorded : callPageText.notAnswered;
}

/** A stretch of the recording without audio. */
interface RecordingGap {
  readonly startMs: number;
  readonly endMs: number;
}

interface WaveformProps {
  readonly callee: readonly number[];
  readonly agent: readonly number[];
  readonly seconds: number;
  readonly positionMs: number;
  readonly gaps: readonly RecordingGap[];
  onMove(positionMs: number): void;
}

const WIDTH = 900;
const HEIGHT = 96;
const MIDDLE = HEIGHT / 2;
const BARS_MAX = 220;

/** Both sides of a call: the agent above the line, the callee below it. A slider lies over the picture, so keys move it too. */
function Waveform({ callee, agent, seconds, positionMs, gaps, onMove }: WaveformProps) {
  const played = useId();
  const [above, below] = useMemo(() => {
    const bars = (peaks: readonly number[]) => toBars(peaks, BARS_MAX, loudestOf(callee, agent));
    return [
      wavePath(bars(agent), WIDTH, MIDDLE - 1, MIDDLE - 4, -1),
      wavePath(bars(callee), WIDTH, MIDDLE + 1, MIDDLE - 4, 1),
    ];
  }, [agent, callee]);
  const place = (ms: number) => (seconds > 0 ? Math.min(1, ms / 1000 / seconds) * WIDTH : 0);
  const x = place(positionMs);
  return (
    <div className="relative rounded-lg has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-12 w-full overflow-visible sm:h-24"
      >
        <clipPath id={played}>
          <rect width={x} height={HEIGHT} />
        </clipPath>
        <g opacity="0.38">
          <path d={above} className="fill-accent" />
          <path d={below} className="fill-line-strong" />
        </g>
        <g clipPath={`url(#${played})`}>
          <path d={above} className="fill-accent" />
          <path d={below} className="fill-ink-soft" />
        </g>
        {gaps.map(({ startMs, endMs }) => (
          <rect
            key={startMs}
            data-testid="recording-gap"
            x={place(startMs)}
            width={Math.max(2, place(endMs) - place(startMs))}
            height={HEIGHT}
            className="fill-warning-soft"
          />
        ))}
        <line x1={x} x2={x} y1="0" y2={HEIGHT} vectorEffect="non-scaling-stroke" className="stroke-ink" />
      </svg>
      <input
        type="range"
        aria-label={callPageText.positionInRecording}
        aria-valuetext={callPageText.positionOf(formatClock(positionMs / 1000), formatClock(seconds))}
        min={0}
        max={Math.max(1, Math.round(seconds * 1000))}
        step={100}
        value={Math.round(positionMs)}
        onChange={(event) => onMove(Number(event.target.value))}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
    </div>
  );
}

/** So that silence is a thin line and not invisible. */
const LEAST = 0.02;
/** Limits the scale, so that a quiet call is not drawn as a loud one. */
const LOUDEST_LEAST = 64;

/** The level that fills the picture: both sides are drawn on the same scale. */
function loudestOf(...sides: readonly (readonly number[])[]): number {
  return sides.flat().reduce((loudest, peak) => Math.max(loudest, peak), LOUDEST_LEAST);
}

/** Reduces numbers to this many bars, each the maximum of its stretch, from 0 to 1. */
function toBars(peaks: readonly number[], count: number, loudest: number): number[] {
  if (peaks.length === 0) return [];
  const bars = Math.min(count, peaks.length);
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / bars);
    const until = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars));
    return Math.max(LEAST, Math.max(...peaks.slice(from, until)) / loudest);
  });
}

/** The outline of bars that stand on a line at `base` and reach up (-1) or down (1) by at most `height`. */
function wavePath(bars: readonly number[], width: number, base: number, height: number, towards: 1 | -1): string {
  const step = width / Math.max(1, bars.length);
  const thick = step * 0.62;
  return bars
    .map((bar, index) => {
      const x = (index * step + (step - thick) / 2).toFixed(2);
      return `M${x} ${base}h${thick.toFixed(2)}v${(towards * bar * height).toFixed(2)}h-${thick.toFixed(2)}z`;
    })
    .join("");
}
