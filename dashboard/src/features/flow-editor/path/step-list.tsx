import type { Flow, FlowNode } from "@parley/contract/flow";
import { Link } from "@tanstack/react-router";
import { Clock, Route as RouteIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatClock } from "../../../ui/format.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { exitsOf } from "../model/exits.ts";
import { nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";
import { outerNode, titleOfId } from "../sub-flows/outer-node.ts";
import { useEditor } from "../use-editor.ts";
import type { PathStep } from "./path-steps.ts";
import { editorPathText } from "./text.tsx";

interface StepListProps {
  readonly callId: string;
  readonly flow: Flow;
  readonly steps: readonly PathStep[];
  readonly store: EditorStore;
}

/** Every step of a call in order: a click goes to the node, and its time to that moment of the call. */
export function StepList({ callId, flow, steps, store }: StepListProps) {
  const selection = useEditor(store, (state) => state.selection);
  const [clicked, setClicked] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const [selected] = selection.length === 1 ? selection : [];
  const shown = selected === undefined ? undefined : nodes.get(selected);
  // A node that the call visited twice is two steps, of which a click selects one.
  const isCurrent = ({ nodeId }: PathStep, index: number) =>
    nodeId === selected && (clicked === null || steps[clicked]?.nodeId !== selected || clicked === index);
  const current = steps.findIndex(isCurrent);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <aside
      aria-label={editorPathText.thePath}
      className="flex min-h-0 shrink-0 flex-col border-line bg-surface max-lg:h-[45%] max-lg:border-t lg:w-[23rem] lg:border-l xl:w-[26rem]"
    >
      <h2 className="border-b border-line px-4 py-3 text-sm font-semibold">{editorPathText.stepByStep}</h2>
      {steps.length === 0 ? (
        <EmptyState icon={<RouteIcon />} title={editorPathText.emptyTitle} text={editorPathText.emptyText} />
      ) : (
        <ol ref={list} aria-label={editorPathText.steps} className="min-h-0 flex-1 space-y-0.5 overflow-y-auto p-2">
          {steps.map((step, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a call comes to the same node more than once.
              key={index}
              aria-current={isCurrent(step, index) ? "step" : undefined}
              className="flex items-start rounded-lg not-aria-[current]:hover:bg-sunken/70 aria-[current]:bg-accent-soft"
            >
              <Step
                number={index + 1}
                step={step}
                node={outerNode(flow, step.nodeId)}
                title={titleOfId(flow, step.nodeId)}
                onGo={() => {
                  setClicked(index);
                  store.goTo(step.nodeId);
                }}
              />
              <Link
                to="/calls/$callId"
                params={{ callId }}
                search={{ atMs: step.atMs }}
                aria-label={editorPathText.stepInCall(index + 1, formatClock(step.atMs / 1000))}
                className="mt-1 inline-flex h-8 shrink-0 items-center gap-1.5 rounded-lg px-2 text-xs text-accent-text tabular-nums hover:underline"
              >
                <Clock aria-hidden="true" className="size-3.5" />
                {formatClock(step.atMs / 1000)}
              </Link>
            </li>
          ))}
        </ol>
      )}
      {shown ? <NodeFacts flow={flow} node={shown} /> : null}
    </aside>
  );
}

interface StepProps {
  readonly number: number;
  readonly step: PathStep;
  readonly node: FlowNode | undefined;
  readonly title: string;
  onGo(): void;
}

function Step({ number, step, node, title, onGo }: StepProps) {
  return (
    <button
      type="button"
      disabled={!node}
      onClick={onGo}
      className="grid min-w-0 flex-1 grid-cols-[1.75rem_minmax(0,1fr)] gap-x-2 rounded-lg px-2 py-2 text-left text-sm outline-offset-[-2px]"
    >
      <span className="grid h-5.5 min-w-5.5 place-items-center justify-self-start rounded-full bg-accent px-1 text-[0.6875rem] font-semibold text-accent-ink tabular-nums">
        {number}
      </span>
      <span className="min-w-0">
        <span data-title className="block leading-5.5 font-medium break-words">
          {title}
        </span>
        <span className="block text-xs text-ink-soft empty:hidden">{asideOf(step, node)}</span>
        {step.said.map(({ role, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not move.
          <span key={index} className="mt-0.5 line-clamp-4 break-words text-ink-soft">
            <span className={role === "agent" ? "sr-only" : "font-medium text-ink"}>
              {role === "agent" ? editorPathText.agentSaid : editorPathText.calleeSaid}{" "}
            </span>
            {text}
          </span>
        ))}
      </span>
    </button>
  );
}

/** The text of a step without speech. */
function asideOf(step: PathStep, node: FlowNode | undefined): string | null {
  if (!node) return editorPathText.notInFlow;
  const kind = nameOfType(node.type);
  return step.said.length > 0 || kind === titleOf(node) ? null : kind;
}

/** What the selected node said and where it led, in full: its card has room for two lines. */
function NodeFacts({ flow, node }: { readonly flow: Flow; readonly node: FlowNode }) {
  const titles = new Map(flow.nodes.map((one) => [one.id, titleOf(one)]));
  const exits = exitsOf(node);
  return (
    <section
      aria-label={editorPathText.selectedNode}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long is scrolled to, also by keyboard.
      tabIndex={0}
      className="max-h-[45%] shrink-0 max-lg:hidden space-y-2 overflow-y-auto border-t border-line px-4 py-3 text-sm outline-offset-[-2px]"
    >
      <h2 className="font-semibold break-words">
        {titleOf(node)} <span className="font-normal text-ink-soft">{nameOfType(node.type)}</span>
      </h2>
      <p className="break-words whitespace-pre-wrap empty:hidden">{summaryOf(node)}</p>
      {exits.length > 0 ? (
        <ul className="space-y-1 text-ink-soft">
          {exits.map(({ id, label, to }) => (
            <li key={id} className="flex justify-between gap-4">
              <span className="min-w-0 break-words">{label}</span>
              <span className="min-w-0 text-right break-words text-ink">
                {to === undefined ? editorPathText.nowhere : (titles.get(to) ?? to)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
