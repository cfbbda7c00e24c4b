import type { Flow, FlowNode } from "@parley/contract/flow";
import { useMemo } from "react";
import { drawFlow } from "./draw-flow.ts";

const FILLS: Readonly<Partial<Record<FlowNode["type"], string>>> = {
  start: "fill-accent",
  ask: "fill-accent-soft stroke-accent",
  conversation: "fill-accent-soft stroke-accent",
  end: "fill-ink-soft",
};

/** What a flow looks like from afar. It is drawn from the flow itself. */
export function FlowPicture({ flow, label }: { readonly flow: Flow; readonly label: string }) {
  const { width, height, nodes, lines } = useMemo(() => drawFlow(flow), [flow]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, width)} ${Math.max(1, height)}`}
      preserveAspectRatio="xMidYMid meet"
      className="size-full"
    >
      <g className="fill-none stroke-line-strong/70" strokeWidth={6}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one picture do not move.
          <path key={index} d={line} />
        ))}
      </g>
      {nodes.map(({ id, type, x, y, width: wide, height: high }) => (
        <rect
          key={id}
          x={x}
          y={y}
          width={wide}
          height={high}
          rx={24}
          strokeWidth={6}
          className={FILLS[type] ?? "fill-surface stroke-line-strong"}
        />
      ))}
    </svg>
  );
}
