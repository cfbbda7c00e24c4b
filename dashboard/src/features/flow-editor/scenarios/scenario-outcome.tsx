import type { ScenarioResult } from "@parley/contract/scenarios";
import { Link } from "@tanstack/react-router";
import { Crosshair } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import type { EditorStore } from "../model/editor-store.ts";

interface ScenarioOutcomeProps {
  readonly result: ScenarioResult;
  readonly isStale: boolean;
  readonly store: EditorStore;
}

/** What a run found: what broke, after which step, in which node, and what was said. */
export function ScenarioOutcome({ result, isStale, store }: ScenarioOutcomeProps) {
  const { failure, lines, path, callId } = result;
  const nodeId = failure?.nodeId;
  return (
    <div className="space-y-2 border-t border-line px-3.5 py-2.5 text-sm">
      {isStale ? <p className="text-xs text-ink-soft">From before the last change.</p> : null}
      {failure ? (
        <div className="space-y-1.5">
          <p className="break-words text-danger-text">{failure.message}</p>
          {nodeId ? (
            <Button size="small" onClick={() => store.goTo(nodeId)}>
              <Crosshair aria-hidden="true" />
              {failure.step === null ? "Go to" : `After step ${failure.step}: go to`} {nodeId}
            </Button>
          ) : null}
        </div>
      ) : null}
      <details>
        <summary className="text-xs text-ink-soft">What was said</summary>
        <ol className="mt-2 space-y-1 text-xs">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a run that is over do not change.
            <li key={index} className="break-words">
              <span className={`font-semibold ${line.role === "agent" ? "text-accent-text" : "text-ink-soft"}`}>
                {line.role === "agent" ? "Agent" : "Callee"}
              </span>{" "}
              {line.text}
            </li>
          ))}
        </ol>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" look="quiet" onClick={() => store.setPath(path)}>
            Show its way on the canvas
          </Button>
          {callId ? (
            <Link to="/calls/$callId" params={{ callId }} className="self-center text-xs underline">
              Open the call
            </Link>
          ) : null}
        </div>
      </details>
    </div>
  );
}
