import type { FlowNode } from "@parley/contract/flow";
import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  Handle,
  type NodeProps,
  Position,
} from "@xyflow/react";
import { CircleAlert, Megaphone, TriangleAlert, X } from "lucide-react";
import { memo } from "react";
import { disconnect, replaceComment } from "../model/edit-flow.ts";
import { exitsOf } from "../model/exits.ts";
import { nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";
import { hasSummary } from "../model/node-size.ts";
import { useEditorStore } from "../use-editor.ts";
import { type CommentNode, type ExitEdge, INLET, type StepData, type StepNode } from "./canvas-elements.ts";
import { NodeIcon } from "./palette.tsx";

/** A node of the flow: what it is, what it says, and where it leads. Its sizes are those of `node-size.ts`. */
export const StepCard = memo(function StepCard({ data, selected }: NodeProps<StepNode>) {
  const { node, passing, isActive } = data;
  const exits = exitsOf(node);
  return (
    <div className="step" data-selected={selected} data-active={isActive} data-passing={passing} data-type={node.type}>
      {node.type === "start" || node.type === "voicemail" ? null : (
        <Handle id={INLET} type="target" position={Position.Left} className="step-inlet" aria-hidden="true" />
      )}
      <div className="step-header">
        <span className="step-icon">
          <NodeIcon type={node.type} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="step-title">{titleOf(node)}</span>
          <span className="step-type">{nameOfType(node.type)}</span>
        </span>
        <Marks data={data} />
      </div>
      {hasSummary(node) ? <Summary node={node} /> : null}
      {exits.length > 0 ? (
        <ul className="step-exits">
          {exits.map(({ id, label, kind, to }) => (
            <li key={id} className="step-exit" data-kind={kind} data-open={to === undefined}>
              <span className="truncate">{label}</span>
              <Handle id={id} type="source" position={Position.Right} className="step-outlet" aria-hidden="true" />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
});

function Summary({ node }: { readonly node: FlowNode }) {
  const text = summaryOf(node);
  return <p className={`step-summary ${text ? "" : "italic"}`}>{text || "Nothing written yet"}</p>;
}

function Marks({ data: { node, worst, step } }: { readonly data: StepData }) {
  return (
    <>
      {"global" in node && node.global ? (
        <span title="Callees can come here from any question" className="step-mark">
          <Megaphone aria-label="Global" />
        </span>
      ) : null}
      {worst === "problem" ? <CircleAlert aria-label="Has a problem" className="step-problem" /> : null}
      {worst === "warning" ? <TriangleAlert aria-label="Has a warning" className="step-warning" /> : null}
      {step === null ? null : <span className="step-number">{step}</span>}
    </>
  );
}

/** A comment on the canvas, edited in place. */
export const CommentCard = memo(function CommentCard({ data: { comment }, selected }: NodeProps<CommentNode>) {
  const store = useEditorStore();
  return (
    <div className="comment" data-selected={selected}>
      <textarea
        aria-label="Comment"
        placeholder="A note for your team"
        maxLength={2000}
        value={comment.text}
        readOnly={store.isFixed}
        onChange={({ target }) =>
          store.edit((flow) => replaceComment(flow, { ...comment, text: target.value }), `comment:${comment.id}`)
        }
        // From the text to the card, which can be moved and deleted.
        onKeyDown={({ key, currentTarget }) =>
          key === "Escape" ? currentTarget.closest<HTMLElement>(".react-flow__node")?.focus() : undefined
        }
        className="nodrag nowheel"
      />
    </div>
  );
});

/** The line from an exit to its target. A selected one can be removed in place. */
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
