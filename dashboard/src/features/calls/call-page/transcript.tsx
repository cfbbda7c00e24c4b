import type { Flow } from "@parley/contract/flow";
import type { Incident } from "@parley/contract/incidents";
import type { TranscriptItem } from "@parley/contract/transcripts";
import { Hash, Lightbulb, MessagesSquare, StickyNote, Waypoints, Wrench } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { apiText } from "../../../api/text.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatClock } from "../../../ui/format.ts";
import { languageName } from "../../engines/engine-words.ts";
import { titleOfId } from "../../flow-editor/sub-flows/outer-node.ts";
import { decisionWords } from "./decision-text.ts";
import { incidentsIn, ReplyDelay, TurnIncidents } from "./reply-delay.tsx";
import { callPageText } from "./text.tsx";
import type { Playback } from "./use-playback.ts";

interface TranscriptProps {
  readonly items: readonly TranscriptItem[];
  /** The flow of the call, which has the titles of its nodes. */
  readonly flow: Pick<Flow, "nodes">;
  readonly incidents: readonly Incident[];
  readonly isLive: boolean;
  readonly playback: Pick<Playback, "isBegun" | "isFollowed" | "positionMs" | "playFrom">;
}

/** What was said and done. Lines follow the playback, and a click on one plays from there. */
export function Transcript({ items, flow, incidents, isLive, playback }: TranscriptProps) {
  const lines = useMemo(() => joinSteps(items), [items]);
  const lineOfTurn = useMemo(() => linesOfTurns(lines), [lines]);
  const current = playback.isBegun ? currentLine(lines, playback.positionMs) : null;
  const list = useRef<HTMLOListElement>(null);
  const followed = isLive ? lines.length - 1 : playback.isFollowed ? current : null;
  useEffect(() => {
    const place = list.current;
    const line = followed === null ? undefined : place?.children[followed];
    // Only the list itself scrolls: the page stays where its reader put it.
    if (place && line instanceof HTMLElement) place.scrollTo({ top: line.offsetTop - place.clientHeight / 2 });
  }, [followed]);
  if (items.length === 0) {
    return (
      <EmptyState
        icon={<MessagesSquare />}
        title={isLive ? callPageText.nothingSaidYet : callPageText.noTranscript}
        text={isLive ? callPageText.nothingSaidYetHint : callPageText.nothingSaid}
      />
    );
  }
  return (
    <ol
      ref={list}
      aria-label={callPageText.transcript}
      {...(isLive ? { "aria-live": "polite" as const } : {})}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard.
      tabIndex={0}
      className="relative max-h-[34rem] space-y-1 overflow-y-auto px-2 py-3 outline-offset-[-2px] sm:px-3"
    >
      {lines.map((item, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added.
          key={index}
          aria-current={index === current ? "true" : undefined}
          className="rounded-lg aria-[current]:bg-accent-soft"
        >
          <Item item={item} flow={flow} canPlay={!isLive} onPlay={() => playback.playFrom(item.startMs)} />
          {item.type === "speech" ? (
            <BesideSpeech
              timing={item.timing}
              incidents={lineOfTurn.get(item.turn) === index ? incidentsIn(incidents, item.turn) : []}
            />
          ) : null}
        </li>
      ))}
    </ol>
  );
}

interface ItemProps extends PlayProps {
  readonly item: Line;
  readonly flow: Pick<Flow, "nodes">;
}

interface PlayProps {
  readonly canPlay: boolean;
  onPlay(): void;
}

function Item({ item, flow, canPlay, onPlay }: ItemProps): ReactNode {
  switch (item.type) {
    case "speech":
      return <Speech item={item} canPlay={canPlay} onPlay={onPlay} />;
    case "tool_call":
      return <Aside icon={<Wrench />}>{callPageText.toolAsked(item.name)}</Aside>;
    case "tool_result":
      return (
        <Aside icon={<Wrench />}>
          {item.ok ? callPageText.toolAnswered(item.name) : callPageText.toolFailed(item.name)}
        </Aside>
      );
    case "steps":
      return (
        <Aside icon={<Waypoints />}>
          {callPageText.step(item.nodeIds.map((nodeId) => titleOfId(flow, nodeId)).join(" → "))}
        </Aside>
      );
    case "decision":
      return <Aside icon={<Lightbulb />}>{decisionWords(item, flow)}</Aside>;
    case "dtmf":
      return (
        <Aside icon={<Hash />}>
          {item.by === "agent" ? callPageText.agentPressed(item.key) : callPageText.calleePressed(item.key)}
        </Aside>
      );
    case "note":
      return (
        <Aside icon={<StickyNote />}>
          <span className="inline-block first-letter:uppercase">{apiText.wordNote(item.text)}</span>
        </Aside>
      );
  }
}

function Speech({
  item,
  canPlay,
  onPlay,
}: PlayProps & { readonly item: TranscriptItem & { readonly type: "speech" } }) {
  const isAgent = item.role === "agent";
  const { heard, unheard } = isAgent
    ? partHeard(item.text, item.heardText)
    : { heard: item.revisedText ?? item.text, unheard: "" };
  return (
    <button
      type="button"
      disabled={!canPlay}
      onClick={onPlay}
      className="grid w-full grid-cols-[3rem_minmax(0,1fr)] gap-2 rounded-lg px-2 py-2 text-left enabled:hover:bg-sunken/70"
    >
      <span className="pt-px text-xs leading-6 text-ink-soft tabular-nums">{formatClock(item.startMs / 1000)}</span>
      <span className="min-w-0 break-words">
        <span className={`block text-xs font-semibold ${isAgent ? "text-accent-text" : "text-ink-soft"}`}>
          {isAgent ? callPageText.agent : callPageText.callee}
          {isAgent ? null : <span className="font-normal">{recognitionInWords(item)}</span>}
        </span>
        {heard}
        {unheard ? (
          <span className="text-ink-soft line-through decoration-ink-soft/50" title={callPageText.notHeardHint}>
            <span className="sr-only"> {callPageText.notHeard} </span>
            {unheard}
          </span>
        ) : null}
        {item.revisedText !== null && item.revisedText !== item.text ? (
          <span className="block text-xs text-ink-soft">{callPageText.understoodInCall(item.text)}</span>
        ) : null}
        {item.interrupted ? <span className="ml-2 text-xs text-warning-text">{callPageText.interrupted}</span> : null}
      </span>
    </button>
  );
}

/** How certain recognition was, and which language it heard, as far as it says. */
export function recognitionInWords({
  confidence,
  language,
}: Pick<TranscriptItem & { readonly type: "speech" }, "confidence" | "language">): string {
  const certainty = confidence === undefined ? [] : [callPageText.recognizedWith(Math.round(100 * confidence))];
  return [...certainty, ...(language === undefined ? [] : [languageName(language)])]
    .map((each) => ` · ${each}`)
    .join("");
}

interface BesideSpeechProps {
  readonly timing: Extract<TranscriptItem, { type: "speech" }>["timing"];
  readonly incidents: readonly Incident[];
}

/** How long the callee had to wait for it, and what went wrong on our side. */
function BesideSpeech({ timing, incidents }: BesideSpeechProps) {
  if (timing === null && incidents.length === 0) return null;
  return (
    <div className="grid grid-cols-[3rem_minmax(0,1fr)] gap-2 px-2 pb-2">
      <div className="col-start-2 space-y-1">
        {timing === null ? null : <ReplyDelay timing={timing} />}
        <TurnIncidents incidents={incidents} />
      </div>
    </div>
  );
}

function Aside({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p className="grid grid-cols-[3rem_minmax(0,1fr)] items-center gap-2 px-2 py-1 text-xs text-ink-soft">
      <span aria-hidden="true" className="[&_svg]:size-3.5">
        {icon}
      </span>
      <span className="break-words">{children}</span>
    </p>
  );
}

/** The line of each turn beside which its incidents are shown: the reply, or what the callee said if there was none. */
export function linesOfTurns(items: readonly Line[]): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  for (const role of ["agent", "callee"] as const) {
    for (const [index, item] of items.entries()) {
      if (item.type === "speech" && item.role === role && !lines.has(item.turn)) lines.set(item.turn, index);
    }
  }
  return lines;
}

/** Which item is playing at a moment: of those that have started, the speech that started last. Null before any has. */
export function currentLine(items: readonly Line[], positionMs: number): number | null {
  let current: number | null = null;
  for (const [index, item] of items.entries()) {
    if (item.startMs > positionMs) break;
    if (item.type === "speech") current = index;
  }
  return current;
}

/** Splits what an agent was to say into what was heard and what was not. */
export function partHeard(text: string, heardText: string): { readonly heard: string; readonly unheard: string } {
  if (text === heardText) return { heard: text, unheard: "" };
  if (text.startsWith(heardText)) return { heard: heardText, unheard: text.slice(heardText.length) };
  // Spoken differently than written, like numbers: what was heard counts.
  return { heard: heardText, unheard: "" };
}

/** One line of the transcript. */
type Line =
  | Exclude<TranscriptItem, { type: "node" }>
  | { readonly type: "steps"; readonly nodeIds: readonly string[]; readonly startMs: number };

/** Joins consecutive steps without speech between them into one line. */
export function joinSteps(items: readonly TranscriptItem[]): Line[] {
  const lines: Line[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (item.type !== "node") lines.push(item);
    else if (last?.type !== "steps") lines.push({ type: "steps", nodeIds: [item.nodeId], startMs: item.startMs });
    else lines[lines.length - 1] = { ...last, nodeIds: [...last.nodeIds, item.nodeId] };
  }
  return lines;
}
