import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { X } from "lucide-react";
import { memo } from "react";
import { disconnect } from "../model/edit-flow.ts";
import { useEditorStore } from "../use-editor.ts";
import type { ExitEdge } from "./canvas-elements.ts";

/** The line from an exit to where it leads. A selected one can be taken away where it is. */
export const ExitLine = memo(function ExitLine(props: EdgeProps<ExitEdge>) {
  const [path, labelX, labelY] = getBezierPath(props);
  return (
    <>
      <BaseEdge
        id={props.id}
        path={path}
        className={`exit-line exit-${props.data?.kind ?? "next"} exit-${props.data?.passing ?? "unwatched"}`}
        {...(props.markerEnd ? { markerEnd: props.markerEnd } : {})}
      />
      {props.selected ? <RemoveLine line={props} x={labelX} y={labelY} /> : null}
    </>
  );
});

function RemoveLine({ line, x, y }: { readonly line: EdgeProps<ExitEdge>; readonly x: number; readonly y: number }) {
  const store = useEditorStore();
  if (store.isFixed) return null;
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        aria-label="Remove this connection"
        onClick={() => store.edit((flow) => disconnect(flow, line.source, line.sourceHandleId ?? "next"))}
        className="nodrag nopan pointer-events-auto absolute grid size-6 place-items-center rounded-full border border-line-strong bg-surface text-ink shadow-sm hover:bg-sunken [&_svg]:size-3.5"
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      >
        <X aria-hidden="true" />
      </button>
    </EdgeLabelRenderer>
  );
}
