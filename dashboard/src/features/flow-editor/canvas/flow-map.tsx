import type { Flow } from "@parley/contract/flow";
import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { type PointerEvent, useMemo } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { sizeOf } from "../model/node-size.ts";
import { useEditor } from "../use-editor.ts";
import { boundsOf } from "./viewport.ts";

const MARGIN = 120;

/**
 * The whole flow, small, with what is in view; pressing or dragging on it goes there. All nodes are one path: two hundred
 * elements that each follow the canvas would cost more than the canvas itself.
 */
export function FlowMap({ store }: { readonly store: EditorStore }) {
  const flow = useEditor(store, (state) => state.flow);
  const canvas = useReactFlow();
  const [x, y, zoom] = useStore((state) => state.transform);
  const paneWidth = useStore((state) => state.width);
  const paneHeight = useStore((state) => state.height);
  const bounds = useMemo(() => boundsOf(flow), [flow]);
  const path = useMemo(() => pathOfNodes(flow), [flow]);
  if (!bounds) return null;
  const view = { x: -x / zoom, y: -y / zoom, width: paneWidth / zoom, height: paneHeight / zoom };
  const whole = [bounds.x - MARGIN, bounds.y - MARGIN, bounds.width + 2 * MARGIN, bounds.height + 2 * MARGIN] as const;
  const go = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons === 0) return;
    const matrix = event.currentTarget.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    void canvas.setCenter(point.x, point.y, { zoom });
  };
  return (
    <Panel position="bottom-right" className="max-md:hidden">
      <svg
        role="img"
        aria-label="The whole flow, small"
        viewBox={whole.join(" ")}
        className="h-26 w-36 cursor-pointer rounded-xl border border-line bg-surface"
        onPointerDown={go}
        onPointerMove={go}
      >
        <path d={path} className="fill-line-strong/70" />
        <rect {...view} rx={40} className="fill-accent/10 stroke-accent" strokeWidth={whole[2] / 70} />
      </svg>
    </Panel>
  );
}

function pathOfNodes({ nodes }: Flow): string {
  return nodes
    .map((node) => {
      const { x, y } = node.position ?? { x: 0, y: 0 };
      const { width, height } = sizeOf(node);
      return `M${x} ${y}h${width}v${height}h${-width}z`;
    })
    .join("");
}
