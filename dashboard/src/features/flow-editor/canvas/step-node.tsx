import type { FlowNode } from "@parley/contract/flow";
import { Handle, type NodeProps, Position } from "@xyflow/react";
import { CircleAlert, Megaphone, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { exitsOf } from "../model/exits-of.ts";
import { nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";
import { hasSummary } from "../model/node-size.ts";
import { INLET, type StepData, type StepNode } from "./canvas-elements.ts";
import { NodeIcon } from "./node-icon.tsx";

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
