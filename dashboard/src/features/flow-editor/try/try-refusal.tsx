import type { Flow } from "@parley/contract/flow";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { editorTryText } from "./text.tsx";

interface TryRefusalProps {
  readonly error: unknown;
  readonly flow: Flow;
  readonly store: EditorStore;
}

/** Why an agent cannot be tried. Each problem of its flow is listed with a link. */
export function TryRefusal({ error, flow, store }: TryRefusalProps) {
  const problems = error instanceof ApiError ? Object.entries(error.fields) : [];
  if (problems.length === 0) return <Notice tone="danger">{errorText(error)}</Notice>;
  return (
    <Notice tone="danger">
      <p className="font-medium">{editorTryText.cannotBeTried}</p>
      <ul className="mt-1 space-y-1">
        {problems.slice(0, 5).map(([param, message]) => {
          const nodeId = nodeAt(flow, param);
          return (
            <li key={param} className="break-words">
              {message}{" "}
              {nodeId ? (
                <Button size="small" look="quiet" className="h-6 px-1.5 underline" onClick={() => store.goTo(nodeId)}>
                  {editorTryText.showIt}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      {problems.length > 5 ? <p className="mt-1">{editorTryText.moreProblems(problems.length - 5)}</p> : null}
    </Notice>
  );
}

/** The node that a parameter such as `flow.nodes[2].next` stands in. */
function nodeAt(flow: Flow, param: string): string | null {
  const place = /(?:^|\.)nodes\[(\d+)\]/.exec(param)?.[1];
  return place === undefined ? null : (flow.nodes[Number(place)]?.id ?? null);
}
