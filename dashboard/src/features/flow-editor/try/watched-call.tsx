import { getTranscript } from "@parley/contract/routes/calls";
import { TranscriptItem } from "@parley/contract/transcripts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneOutgoing } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { addressOf } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { badgeOf, END_REASON_LABELS } from "../../calls/call-labels.ts";
import { decisionWords } from "../../calls/call-page/decision-text.ts";
import { HangUp } from "../../calls/call-page/hang-up.tsx";
import { callQuery } from "../../calls/call-queries.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { MakeScenario } from "../scenarios/make-scenario.tsx";
import { CollectedValues, TalkLines } from "./conversation-lines.tsx";
import { agentLine, asideLine, calleeLine, type TryLine } from "./try-lines.ts";

interface WatchedCallProps {
  readonly callId: string;
  readonly store: EditorStore;
  onAgain(): void;
}

const NO_ITEMS: NumberedItems = new Map();
/** How often a call is polled while it rings: before the answer nothing is said. */
const LOOK_AGAIN_MS = 1000;

/** A simulated call as it happens, and its position in the flow. */
export function WatchedCall({ callId, store, onAgain }: WatchedCallProps) {
  const queries = useQueryClient();
  const [items, setItems] = useState(NO_ITEMS);
  const { data: call } = useQuery({
    ...callQuery("test", callId),
    refetchInterval: ({ state }) => (state.data?.phase === "ended" ? false : LOOK_AGAIN_MS),
  });
  useEffect(
    () => followCall(callId, setItems, () => void queries.invalidateQueries(callQuery("test", callId))),
    [callId, queries],
  );
  const { lines, path } = useMemo(() => linesOfTranscript(items.values()), [items]);
  const isOver = call?.phase === "ended";
  useEffect(() => {
    store.setPath(path);
    store.setActiveNode(isOver ? null : (path.at(-1) ?? null));
  }, [store, path, isOver]);
  useEffect(
    () => () => {
      store.setActiveNode(null);
      store.setPath([]);
    },
    [store],
  );
  const badge = call ? badgeOf(call) : null;
  const collected = (call?.collected ?? {}) as Record<string, string | number | boolean | null>;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2.5">
        <span role="status" className="flex flex-wrap items-center gap-2.5 text-sm">
          {badge ? (
            <Badge tone={badge.tone} isLive={badge.isLive}>
              {badge.text}
            </Badge>
          ) : null}
          {call?.endReason ? <span className="text-ink-soft">{END_REASON_LABELS[call.endReason]}</span> : null}
        </span>
        <span className="ml-auto flex gap-2">
          {call && !isOver ? <HangUp call={call} /> : null}
          {isOver ? (
            <Button size="small" onClick={onAgain}>
              <PhoneOutgoing aria-hidden="true" />
              Call again
            </Button>
          ) : null}
        </span>
      </div>
      <TalkLines lines={lines} onVisit={(nodeId) => store.goTo(nodeId)} />
      {isOver ? (
        <div className="flex flex-wrap gap-2">
          <Link to="/calls/$callId" params={{ callId }} className={buttonClass({ size: "small" })}>
            Open the call
          </Link>
          <MakeScenario callId={callId} mode="test" size="small" />
        </div>
      ) : null}
      <CollectedValues values={collected} />
    </div>
  );
}

/** The items of a transcript by their numbers, which are their order. */
type NumberedItems = ReadonlyMap<number, TranscriptItem>;

/** Follows a test call until it is over. Returns a function that stops it. */
function followCall(callId: string, onItems: (items: NumberedItems) => void, onReady: () => void): () => void {
  const items = new Map<number, TranscriptItem>();
  const source = new EventSource(addressOf(getTranscript, { params: { id: callId }, mode: "test" }));
  const notify = () => onItems(new Map([...items].toSorted(([one], [other]) => one - other)));
  source.addEventListener("item", ({ data }) => {
    const { number, item } = JSON.parse(data) as { readonly number: number; readonly item: unknown };
    const read = TranscriptItem.safeParse(item);
    // An item that is unknown to this release of the page is skipped.
    if (!read.success) return;
    items.set(number, read.data);
    notify();
  });
  source.addEventListener("removed", ({ data }) => {
    items.delete((JSON.parse(data) as { readonly number: number }).number);
    notify();
  });
  // Otherwise the browser would reconnect and receive everything again.
  source.addEventListener("ready", () => {
    source.close();
    onReady();
  });
  return () => source.close();
}

/** What was said and done in a call, as the lines of a try, and the nodes it went through. */
export function linesOfTranscript(items: Iterable<TranscriptItem>): {
  readonly lines: readonly TryLine[];
  readonly path: readonly string[];
} {
  const lines: TryLine[] = [];
  const path: string[] = [];
  for (const item of items) {
    switch (item.type) {
      case "node":
        path.push(item.nodeId);
        break;
      case "speech":
        lines.push(
          item.role === "agent" ? agentLine(item.text, { nodeId: path.at(-1) ?? null }) : calleeLine(item.text),
        );
        if (item.interrupted && item.role === "agent")
          lines.push(asideLine(`The callee had heard: “${item.heardText}”`));
        break;
      case "tool_call":
        lines.push(asideLine(`Asked ${item.name}`));
        break;
      case "tool_result":
        lines.push(asideLine(`${item.name} ${item.ok ? "answered" : "failed"}`, { isWrong: !item.ok }));
        break;
      case "dtmf":
        lines.push(asideLine(`The ${item.by} pressed ${item.key}`));
        break;
      case "decision":
        lines.push(asideLine(decisionWords(item)));
        break;
      case "note":
        lines.push(asideLine(item.text));
    }
  }
  return { lines, path };
}
