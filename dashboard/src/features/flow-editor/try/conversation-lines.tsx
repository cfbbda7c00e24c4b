import type { CollectedValues as Values } from "@parley/contract/try";
import { useEffect, useRef } from "react";
import { editorTryText } from "./text.tsx";
import type { TryLine } from "./try-lines.ts";

interface TalkLinesProps {
  readonly lines: readonly TryLine[];
  /** Who talks with the agent, for screen readers. */
  readonly callee?: string;
  /** Shows the node where something was said. */
  onVisit(nodeId: string): void;
}

/** What was said and done, with the latest in view. */
export function TalkLines({ lines, callee = editorTryText.youSaid, onVisit }: TalkLinesProps) {
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when a line is added.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [lines.length]);
  return (
    <ol
      ref={list}
      aria-label={editorTryText.whatWasSaid}
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard.
      tabIndex={0}
      className="max-h-[28rem] min-h-40 space-y-2 overflow-y-auto rounded-xl bg-sunken/60 p-3 outline-offset-[-2px]"
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end.
        <li key={index} className={line.role === "callee" ? "flex justify-end" : ""}>
          <Line line={line} callee={callee} onVisit={onVisit} />
        </li>
      ))}
    </ol>
  );
}

type LineProps = { readonly line: TryLine } & Required<Pick<TalkLinesProps, "callee" | "onVisit">>;

function Line({ line, callee, onVisit }: LineProps) {
  const { role, text, nodeId, isWrong } = line;
  if (role === "aside") {
    return <p className={`px-1 text-xs break-words ${isWrong ? "text-danger-text" : "text-ink-soft"}`}>{text}</p>;
  }
  if (role === "callee") {
    return (
      <p className="max-w-[85%] rounded-2xl rounded-br-md bg-accent px-3.5 py-2 text-sm break-words text-accent-ink">
        <span className="sr-only">{callee} </span>
        {text}
      </p>
    );
  }
  return (
    <div className="max-w-[90%]">
      <p className="rounded-2xl rounded-bl-md border border-line bg-surface px-3.5 py-2 text-sm break-words">
        <span className="sr-only">{editorTryText.agentSaid} </span>
        {text}
      </p>
      {nodeId ? (
        <button
          type="button"
          onClick={() => onVisit(nodeId)}
          className="mt-0.5 px-1 font-mono text-xs text-ink-soft underline-offset-2 hover:text-ink hover:underline"
        >
          {nodeId}
        </button>
      ) : null}
    </div>
  );
}

/** What the agent has collected so far. */
export function CollectedValues({ values }: { readonly values: Values }) {
  const entries = Object.entries(values);
  return (
    <section aria-label={editorTryText.collected} className="rounded-xl border border-line px-3.5 py-2.5 text-sm">
      <h2 className="font-medium">{editorTryText.collected}</h2>
      {entries.length === 0 ? <p className="text-ink-soft">{editorTryText.nothingCollected}</p> : null}
      <dl>
        {entries.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-1">
            <dt className="font-mono text-[0.8125rem] text-ink-soft">{name}</dt>
            <dd className="min-w-0 text-right break-words">{value === null ? "–" : String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
