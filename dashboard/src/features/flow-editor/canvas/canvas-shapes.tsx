import type { FlowComment, FlowNode } from "@parley/contract/flow";
import type { NodeNumber } from "@parley/contract/node-numbers";
import { isFinal } from "@parley/flow/graph";
import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  Handle,
  type NodeProps,
  NodeResizer,
  NodeToolbar,
  Position,
} from "@xyflow/react";
import { CircleAlert, Megaphone, TriangleAlert, X } from "lucide-react";
import { memo } from "react";
import { locale } from "../../../languages/language.ts";
import { disconnect, replaceComment } from "../model/edit-flow.ts";
import { exitsOf } from "../model/exits.ts";
import { hasSummary } from "../model/layout/node-size.ts";
import { pathOfRoute } from "../model/layout/route-lines.ts";
import type { NodePosition } from "../model/new-node.ts";
import { nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";
import { useEditorStore } from "../use-editor.ts";
import { type CommentNode, type ExitEdge, INLET, type StepData, type StepNode, TOP_INLET } from "./canvas-elements.ts";
import { ColorButtons } from "./color-buttons.tsx";
import { NodeIcon } from "./palette.tsx";
import { editorCanvasText } from "./text.ts";

/** A node of the flow: what it is, what it says, and where it leads. Its sizes are those of `node-size.ts`. */
export const StepCard = memo(function StepCard({ data, selected }: NodeProps<StepNode>) {
  const { node, passing, isActive } = data;
  const exits = exitsOf(node);
  return (
    <div className="step" data-selected={selected} data-active={isActive} data-passing={passing} data-type={node.type}>
      {node.type === "start" || node.type === "voicemail" ? null : (
        <>
          <Handle id={INLET} type="target" position={Position.Left} className="step-inlet" aria-hidden="true" />
          <Handle id={TOP_INLET} type="target" position={Position.Top} className="step-top-inlet" aria-hidden="true" />
        </>
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
      {data.numbers ? <Numbers node={node} numbers={data.numbers} /> : null}
    </div>
  );
});

/** What the latest calls did at this node. */
function Numbers({ node, numbers }: { readonly node: FlowNode; readonly numbers: NodeNumber }) {
  const { visits, calls, hangUps, notUnderstood, medianMs } = numbers;
  const facts = [
    { text: editorCanvasText.calls(calls), title: editorCanvasText.visitsInCalls(visits, calls) },
    ...(hangUps > 0 && !isFinal(node)
      ? [
          {
            text: editorCanvasText.hungUp(share(hangUps, calls)),
            title: editorCanvasText.hungUpTitle(hangUps),
            isBad: true,
          },
        ]
      : []),
    ...(notUnderstood > 0
      ? [
          {
            text: editorCanvasText.unclear(notUnderstood),
            title: editorCanvasText.unclearTitle(notUnderstood),
            isBad: true,
          },
        ]
      : []),
    { text: seconds(medianMs), title: editorCanvasText.medianTime },
  ];
  return (
    <ul aria-label={editorCanvasText.inLatestCalls} className="step-numbers">
      {facts.map(({ text, title, ...fact }) => (
        <li key={title} title={title} data-bad={"isBad" in fact}>
          {text}
        </li>
      ))}
    </ul>
  );
}

function share(part: number, whole: number): string {
  return (part / Math.max(1, whole)).toLocaleString(locale, { style: "percent" });
}

function seconds(ms: number): string {
  const digits = ms < 9950 ? 1 : 0;
  const shown = (ms / 1000).toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${shown} s`;
}

function Summary({ node }: { readonly node: FlowNode }) {
  const text = summaryOf(node);
  return <p className={`step-summary ${text ? "" : "italic"}`}>{text || editorCanvasText.nothingWrittenYet}</p>;
}

function Marks({ data: { node, worst, step } }: { readonly data: StepData }) {
  return (
    <>
      {"global" in node && node.global ? (
        <span title={editorCanvasText.globalTitle} className="step-mark">
          <Megaphone aria-label={editorCanvasText.global} />
        </span>
      ) : null}
      {worst === "problem" ? <CircleAlert aria-label={editorCanvasText.hasProblem} className="step-problem" /> : null}
      {worst === "warning" ? <TriangleAlert aria-label={editorCanvasText.hasWarning} className="step-warning" /> : null}
      {step === null ? null : <span className="step-number">{step}</span>}
    </>
  );
}

/** A comment on the canvas, edited in place. */
export const CommentCard = memo(function CommentCard({ data: { comment }, selected }: NodeProps<CommentNode>) {
  const store = useEditorStore();
  const change = (changed: Partial<FlowComment>, run?: string) =>
    store.edit((flow) => replaceComment(flow, { ...comment, ...changed }), run);
  return (
    <div className="comment" data-selected={selected} data-color={comment.color ?? "yellow"}>
      {store.isFixed ? null : (
        <NodeResizer
          isVisible={selected}
          minWidth={120}
          minHeight={64}
          onResizeEnd={(_, { x, y, width, height }) =>
            change({
              position: { x: Math.round(x), y: Math.round(y) },
              size: { width: Math.round(width), height: Math.round(height) },
            })
          }
        />
      )}
      {selected && !store.isFixed ? (
        <NodeToolbar
          isVisible
          position={Position.Top}
          // Otherwise it would be below the canvas, like the comment, and a click would not reach it.
          style={{ zIndex: 1 }}
          className="flex gap-1 rounded-lg border border-line bg-surface p-1"
        >
          <ColorButtons value={comment.color ?? "yellow"} onChoose={(color) => change({ color })} />
        </NodeToolbar>
      ) : null}
      <textarea
        aria-label={editorCanvasText.comment}
        placeholder={editorCanvasText.commentPlaceholder}
        maxLength={2000}
        value={comment.text}
        readOnly={store.isFixed}
        onChange={({ target }) => change({ text: target.value }, `comment:${comment.id}`)}
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
  const [path, labelX, labelY] = routedPath(props) ?? getBezierPath(props);
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

/** The handles that lines begin and end at stick out of their nodes by this much. */
const HANDLE_REACH = 8;

/** The line around nodes, while its ends are where they were when it was routed. */
function routedPath({ data, sourceX, sourceY, targetX, targetY }: EdgeProps<ExitEdge>) {
  const route = data?.route;
  if (!route) return null;
  const from = { x: sourceX, y: sourceY };
  const to = { x: targetX, y: targetY };
  if (!isNear(route.from, from) || !isNear(route.to, to)) return null;
  const middle = route.corners[Math.floor(route.corners.length / 2)] ?? to;
  return [pathOfRoute({ ...route, from, to }), middle.x, middle.y] as const;
}

function isNear(one: NodePosition, other: NodePosition): boolean {
  return Math.abs(one.x - other.x) <= HANDLE_REACH && Math.abs(one.y - other.y) <= HANDLE_REACH;
}

function RemoveLine({ line, x, y }: { readonly line: EdgeProps<ExitEdge>; readonly x: number; readonly y: number }) {
  const store = useEditorStore();
  if (store.isFixed) return null;
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        aria-label={editorCanvasText.removeConnection}
        onClick={() => store.edit((flow) => disconnect(flow, line.source, line.sourceHandleId ?? "next"))}
        className="nodrag nopan pointer-events-auto absolute grid size-6 place-items-center rounded-full border border-line-strong bg-surface text-ink shadow-sm hover:bg-sunken [&_svg]:size-3.5"
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      >
        <X aria-hidden="true" />
      </button>
    </EdgeLabelRenderer>
  );
}
