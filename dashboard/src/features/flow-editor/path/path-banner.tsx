import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Route as RouteIcon, X } from "lucide-react";
import { useEffect, useMemo } from "react";
import { inWords } from "../../../api/refusal.ts";
import { useMode } from "../../../app/mode.tsx";
import { Button } from "../../../ui/button.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { callQuery, transcriptQuery } from "../../calls/call-queries.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { useEditor } from "../use-editor.ts";
import { pathOf } from "./path-of.ts";

interface PathBannerProps {
  readonly callId: string;
  readonly store: EditorStore;
  onClose(): void;
}

/** Says whose path is drawn, and draws it. */
export function PathBanner({ callId, store, onClose }: PathBannerProps) {
  const { mode } = useMode();
  const call = useQuery(callQuery(mode, callId));
  const transcript = useQuery(transcriptQuery(mode, callId));
  const path = useMemo(() => pathOf(transcript.data?.items ?? []), [transcript.data]);
  useEffect(() => {
    store.setPath(path);
    const first = path[0];
    if (first !== undefined) store.setActiveNode(null);
    return () => store.setPath([]);
  }, [store, path]);
  const nodes = useEditor(store, (state) => state.flow.nodes);
  const known = new Set(nodes.map(({ id }) => id));
  const gone = new Set(path.filter((id) => !known.has(id))).size;
  const error = call.error ?? transcript.error;
  return (
    <div role="status" className="flex items-center gap-3 border-b border-line bg-accent-soft px-4 py-2 text-sm">
      <RouteIcon aria-hidden="true" className="size-4 shrink-0 text-accent-text" />
      <p className="min-w-0 flex-1">
        {error ? (
          inWords(error)
        ) : call.data ? (
          <>
            The path of the call to{" "}
            <Link to="/calls/$callId" params={{ callId }} className="font-medium text-accent-text underline">
              {call.data.phoneNumber}
            </Link>
            , {formatMoment(call.data.createdAt)}, by version {call.data.agentVersion}: {path.length} steps.
            {gone > 0 ? ` ${gone} of its nodes are not in this draft any more.` : ""}
          </>
        ) : (
          "Fetching the call…"
        )}
      </p>
      <Button look="quiet" size="smallIcon" aria-label="Stop showing the path" onClick={onClose}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
