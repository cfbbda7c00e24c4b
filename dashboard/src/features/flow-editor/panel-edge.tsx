import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { language } from "../../languages/language.ts";
import { flowEditorText } from "./text.ts";

/** German labels are longer: at first, all tabs are in sight. */
export const PANEL_WIDTH = { initial: language === "de" ? 416 : 328, min: 280, max: 720 } as const;

/** Leaves the canvas some room on a narrow window. */
export function boundedWidth(width: number): number {
  const max = Math.max(PANEL_WIDTH.min, Math.min(PANEL_WIDTH.max, innerWidth - 480));
  return Math.round(Math.min(max, Math.max(PANEL_WIDTH.min, width)));
}

/** Whether a width that was kept still fits. */
export const isWidth = (value: unknown): value is number => typeof value === "number" && boundedWidth(value) === value;

const STEP = 24;

interface PanelEdgeProps {
  readonly width: number;
  readonly controls: string;
  onWidth(width: number): void;
}

/** The left edge of the panel: dragged, or moved by arrow keys; a double click restores the usual width. */
export function PanelEdge({ width, controls, onWidth }: PanelEdgeProps) {
  const grabbed = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grabbed.current = { x: event.clientX, width };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (grabbed.current) onWidth(boundedWidth(grabbed.current.width + grabbed.current.x - clientX));
  };
  const release = () => {
    grabbed.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP, Home: Number.MAX_SAFE_INTEGER, End: -Number.MAX_SAFE_INTEGER };
    if (!(event.key in by)) return;
    event.preventDefault();
    onWidth(boundedWidth(width + by[event.key as keyof typeof by]));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be focused and moved.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={flowEditorText.panelWidth}
      aria-controls={controls}
      aria-valuenow={width}
      aria-valuemin={PANEL_WIDTH.min}
      aria-valuemax={PANEL_WIDTH.max}
      title={flowEditorText.dragToResize}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
      onDoubleClick={() => onWidth(PANEL_WIDTH.initial)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1.5 z-10 w-3 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-1.5 after:w-0.5 hover:after:bg-accent focus-visible:after:bg-accent max-lg:hidden"
    />
  );
}
