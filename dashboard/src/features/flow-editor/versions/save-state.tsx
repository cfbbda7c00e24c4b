import { Check, CloudOff, LoaderCircle, TriangleAlert } from "lucide-react";
import type { DraftState } from "../model/draft-state.ts";

/** Whether what was changed is safe, in a word. */
export function SaveState({ state, onRetry }: { readonly state: DraftState; onRetry(): void }) {
  return (
    <span
      role="status"
      data-testid="save-state"
      data-state={state.kind}
      className="flex items-center gap-1.5 text-sm text-ink-soft [&_svg]:size-4"
    >
      {state.kind === "saved" ? (
        <>
          <Check aria-hidden="true" />
          <span className="max-sm:sr-only">Saved</span>
        </>
      ) : null}
      {state.kind === "waiting" || state.kind === "saving" ? (
        <>
          <LoaderCircle aria-hidden="true" className="animate-spin" />
          <span className="max-sm:sr-only">Saving…</span>
        </>
      ) : null}
      {state.kind === "away" ? (
        <>
          <CloudOff aria-hidden="true" className="text-warning-text" />
          <span className="text-warning-text">Kept on this machine</span>
          <button type="button" className="font-medium text-accent-text underline" onClick={onRetry}>
            Try now
          </button>
        </>
      ) : null}
      {state.kind === "overtaken" || state.kind === "refused" ? (
        <>
          <TriangleAlert aria-hidden="true" className="text-danger" />
          <span className="text-danger-text">Not saved</span>
        </>
      ) : null}
    </span>
  );
}
