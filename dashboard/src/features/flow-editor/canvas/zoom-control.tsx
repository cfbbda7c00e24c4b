import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { locale } from "../../../languages/language.ts";
import { editorCanvasText } from "./text.ts";
import { ZOOM_MAX, ZOOM_MIN } from "./viewport.ts";

/** Zooms the canvas: out, to full size, in, and to the whole flow. */
export function ZoomControl({ onShowWhole }: { onShowWhole(): void }) {
  const canvas = useReactFlow();
  const zoom = useStore(({ transform }) => transform[2]);
  const shown = zoom.toLocaleString(locale, { style: "percent" });
  return (
    <Panel position="bottom-left">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form. */}
      <div
        role="group"
        aria-label={editorCanvasText.zoom}
        className="flex items-center rounded-xl border border-line bg-surface p-0.5 text-ink shadow-sm"
      >
        <ZoomButton
          label={editorCanvasText.zoomOut}
          keys="-"
          isOff={zoom <= ZOOM_MIN}
          onClick={() => void canvas.zoomOut()}
        >
          <Minus aria-hidden="true" />
        </ZoomButton>
        <ZoomButton label={editorCanvasText.zoomTo100(shown)} keys="0" onClick={() => void canvas.zoomTo(1)}>
          <span className="w-10 text-xs tabular-nums" data-testid="zoom">
            {shown}
          </span>
        </ZoomButton>
        <ZoomButton
          label={editorCanvasText.zoomIn}
          keys="+"
          isOff={zoom >= ZOOM_MAX}
          onClick={() => void canvas.zoomIn()}
        >
          <Plus aria-hidden="true" />
        </ZoomButton>
        <ZoomButton label={editorCanvasText.showWhole} keys="1" onClick={onShowWhole}>
          <Maximize aria-hidden="true" />
        </ZoomButton>
      </div>
    </Panel>
  );
}

interface ZoomButtonProps {
  readonly label: string;
  readonly keys: string;
  readonly isOff?: boolean;
  readonly children: ReactNode;
  onClick(): void;
}

function ZoomButton({ label, keys, isOff = false, children, onClick }: ZoomButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={isOff}
      onClick={onClick}
      className="grid h-8 min-w-8 place-items-center rounded-lg hover:bg-sunken disabled:opacity-40 [&_svg]:size-4"
    >
      {children}
    </button>
  );
}
