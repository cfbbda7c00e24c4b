import type { Flow, FlowNode } from "@parley/contract/flow";
import { type ReactNode, useMemo } from "react";
import { Badge, type Tone } from "../../../ui/feedback/badge.tsx";
import { type ChangedNode, compareFlows, type FieldChange } from "../model/compare-flows.ts";
import { nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";
import { versionsText } from "./text.tsx";

/** The differences between two flows, in readable form: node by node, field by field. */
export function Comparison({ before, after }: { readonly before: Flow; readonly after: Flow }) {
  const { added, removed, changed, around, isSame } = useMemo(() => compareFlows(before, after), [before, after]);
  if (isSame) return <p className="py-4 text-sm text-ink-soft">{versionsText.noDifference}</p>;
  return (
    <ul aria-label={versionsText.differences} className="divide-y divide-line">
      {added.map((node) => (
        <Whole key={node.id} node={node} word={versionsText.added} tone="accent" />
      ))}
      {removed.map((node) => (
        <Whole key={node.id} node={node} word={versionsText.removed} tone="danger" />
      ))}
      {changed.map((node) => (
        <Changed key={node.after.id} node={node} />
      ))}
      {around.length > 0 ? (
        <li className="py-3">
          <Heading word={versionsText.changed} tone="warning" title={versionsText.settingsTitle} />
          <Fields fields={around} />
        </li>
      ) : null}
    </ul>
  );
}

function Whole({ node, word, tone }: { readonly node: FlowNode; readonly word: string; readonly tone: Tone }) {
  return (
    <li className="py-3">
      <Heading word={word} tone={tone} title={titleOf(node)} type={nameOfType(node.type)} />
      <p className="mt-1 text-sm break-words text-ink-soft">{summaryOf(node)}</p>
    </li>
  );
}

function Changed({ node: { after, fields } }: { readonly node: ChangedNode }) {
  return (
    <li className="py-3">
      <Heading word={versionsText.changed} tone="warning" title={titleOf(after)} type={nameOfType(after.type)} />
      <Fields fields={fields} />
    </li>
  );
}

interface HeadingProps {
  readonly word: string;
  readonly tone: Tone;
  readonly title: string;
  readonly type?: string;
}

function Heading({ word, tone, title, type }: HeadingProps): ReactNode {
  return (
    <p className="flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{word}</Badge>
      <span className="text-sm font-medium">{title}</span>
      {type ? <span className="text-xs text-ink-soft">{type}</span> : null}
    </p>
  );
}

function Fields({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <dl className="mt-2 space-y-2 text-sm">
      {fields.map(({ path, before, after }) => (
        <div key={path}>
          <dt className="font-mono text-xs text-ink-soft">{path}</dt>
          <dd className="mt-0.5 grid gap-1 sm:grid-cols-2">
            <Value text={before} isOld />
            <Value text={after} isOld={false} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text, isOld }: { readonly text: string | undefined; readonly isOld: boolean }) {
  const look = isOld ? "bg-danger-soft text-danger-text" : "bg-accent-soft text-accent-text";
  if (text === undefined)
    return <span className="px-2 py-1 text-ink-soft">{isOld ? versionsText.wasNotThere : versionsText.isGone}</span>;
  return (
    <span className={`rounded-md px-2 py-1 break-words ${look}`}>
      <span className="sr-only">{isOld ? versionsText.valueBefore : versionsText.valueAfter} </span>
      {text || versionsText.emptyValue}
    </span>
  );
}
