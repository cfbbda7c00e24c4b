import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneOutgoing } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { HangUp } from "../../call/hang-up.tsx";
import { callQuery } from "../../calls/call-queries.ts";
import { badgeOf, END_REASON_WORDS } from "../../calls/call-words.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { MakeScenario } from "../scenarios/make-scenario.tsx";
import { CollectedValues } from "./collected-values.tsx";
import { followCall, type NumberedItems } from "./follow-call.ts";
import { linesOfTranscript } from "./lines-of-transcript.ts";
import { TalkLines } from "./talk-lines.tsx";

interface WatchedCallProps {
  readonly callId: string;
  readonly store: EditorStore;
  onAgain(): void;
}

const NO_ITEMS: NumberedItems = new Map();
/** How often a call is looked at while it rings: before it is answered nothing is said. */
const LOOK_AGAIN_MS = 1000;

/** A simulated call as it happens, and where in the flow it is. */
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
          {call?.endReason ? <span className="text-ink-soft">{END_REASON_WORDS[call.endReason]}</span> : null}
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
