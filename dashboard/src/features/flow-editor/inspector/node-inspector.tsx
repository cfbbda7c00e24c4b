import { type Flow, FlowNode } from "@parley/contract/flow";
import { needsModel } from "@parley/flow/warnings";
import { useMemo, useState } from "react";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FieldEditor } from "../fields/field-editor.tsx";
import { type FieldPath, shownPaths, writePattern } from "../fields/field-paths.ts";
import {
  type FieldScope,
  FieldScopeProvider,
  homelessProblems,
  namesInNode,
  problemsBelow,
  unreadOf,
} from "../fields/field-scope.tsx";
import { Fields } from "../fields/group-field.tsx";
import { toName } from "../fields/plain-fields.tsx";
import { type FieldSpec, fieldsOf, kindsOf } from "../fields/schema-fields.ts";
import { renameNode } from "../model/edit-flow.ts";
import type { FlowNote } from "../model/flow-notes.ts";
import { NODE_KINDS, nameOfType, titleOf } from "../model/node-kinds.ts";
import { useExpandedFlow } from "../sub-flows/load-sub-flows.ts";
import { SubFlowFields } from "../sub-flows/sub-flow-fields.tsx";
import { useEditorStore } from "../use-editor.ts";
import { inspectorText } from "./text.tsx";
import { TryRequest } from "./try-request.tsx";
import { UnmatchedAnswers } from "./unmatched-answers.tsx";

interface NodeInspectorProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly node: FlowNode;
  readonly problems: readonly FlowNote[];
  onChange(node: FlowNode): void;
}

/** Everything about one node, as its schema declares it. */
export function NodeInspector({ agentId, flow, node, problems, onChange }: NodeInspectorProps) {
  const store = useEditorStore();
  const { main, ways, manner } = fieldsOfNode(node);
  const place = flow.nodes.findIndex(({ id }) => id === node.id);
  const found = useMemo(() => problemsBelow(problems, `nodes[${place}]`), [problems, place]);
  const expanded = useExpandedFlow(flow);
  const scope: FieldScope = {
    agentId,
    flow,
    expanded,
    subject: node.type,
    whole: node,
    problems: found,
    Editor: FieldEditor,
    placeholders: (pattern) => namesInNode(expanded, pattern),
    applies: (path) => appliesToNode(node, path),
    declare: (name) => store.edit((now) => ({ ...now, variables: [...now.variables, name] })),
    unread: unreadOf(store, node.id),
    visit: (nodeId) => store.goTo(nodeId),
  };
  // Those of a sub-flow follow from the flow that it uses, and have a form of their own.
  const listed = node.type === "subflow" ? [] : main;
  const all = [...listed, ...ways, ...manner];
  const homeless = homelessProblems(found, shownPaths(all, node, scope.applies));
  const form = (fields: readonly FieldSpec[]) => (
    <Fields fields={fields} path={[]} value={node} onChange={(next) => onChange(next as FlowNode)} />
  );
  const usesMore = manner.some(({ name }) => Object.hasOwn(node, name));
  return (
    // Remounted for each node: nothing half typed carries over to the next.
    <FieldScopeProvider key={node.id} scope={scope}>
      <div className="space-y-5">
        <NodeHead node={node} onChange={onChange} />
        {homeless.map((message) => (
          <Notice key={message} tone="danger">
            {message}
          </Notice>
        ))}
        {form(listed)}
        {node.type === "subflow" ? (
          <SubFlowFields flow={flow} node={node} agentId={agentId} onChange={onChange} />
        ) : null}
        {node.type === "tool" ? <TryRequest request={node.request} saves={node.saves ?? []} /> : null}
        {ways.length > 0 ? <div className="space-y-4 border-t border-line pt-5">{form(ways)}</div> : null}
        {node.type === "ask" ? <UnmatchedAnswers agentId={agentId} ask={node} onChange={onChange} /> : null}
        {manner.length > 0 ? (
          <details open={usesMore} className="border-t border-line pt-4">
            <summary className="text-sm font-medium">{inspectorText.advanced}</summary>
            <div className="mt-4 space-y-4">{form(manner)}</div>
          </details>
        ) : null}
      </div>
    </FieldScopeProvider>
  );
}

interface NodeHeadProps {
  readonly node: FlowNode;
  onChange(node: FlowNode): void;
}

/** The kind of the node, its name, and the id that transcripts and other nodes use. */
function NodeHead({ node, onChange }: NodeHeadProps) {
  const purpose = NODE_KINDS.find(({ type }) => type === node.type)?.purpose;
  return (
    <header className="space-y-4">
      <div>
        <h2 className="font-semibold break-words">{titleOf(node)}</h2>
        <p className="text-sm text-ink-soft">
          {nameOfType(node.type)}. {purpose}.
        </p>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={inspectorText.title}
          value={node.label ?? ""}
          maxLength={120}
          placeholder={titleOf({ ...node, label: undefined } as FlowNode)}
          onChange={({ target }) => onChange(withLabel(node, target.value))}
        />
        <IdField key={node.id} id={node.id} />
      </div>
    </header>
  );
}

/** An id is changed everywhere at once, when the field loses the focus. */
function IdField({ id }: { readonly id: string }) {
  const store = useEditorStore();
  const toast = useToast();
  const [written, setWritten] = useState(id);
  const rename = () => {
    if (written === id) return;
    const { flow } = store.getSnapshot();
    const renamed = renameNode(flow, id, written);
    if (renamed) {
      store.edit(() => renamed);
      store.moveUnread((place) => place.replace(new RegExp(`^${id}\\.`), `${written}.`));
      store.select([written]);
    } else {
      setWritten(id);
      toast({ text: written === "" ? inspectorText.idIsEmpty : inspectorText.idIsTaken(written) });
    }
  };
  return (
    <TextField
      label="ID"
      value={written}
      maxLength={64}
      spellCheck={false}
      className="font-mono text-[0.8125rem]"
      onChange={({ target }) => setWritten(toName(target.value))}
      onBlur={rename}
      onKeyDown={(event) => (event.key === "Enter" ? rename() : undefined)}
    />
  );
}

function withLabel(node: FlowNode, label: string): FlowNode {
  const { label: _, ...rest } = node;
  return (label === "" ? rest : { ...rest, label }) as FlowNode;
}

/** The fields of a node by subject, in the order in which they are shown. */
interface NodeFields {
  /** What it says, asks or does. */
  readonly main: readonly FieldSpec[];
  /** Where the call continues. */
  readonly ways: readonly FieldSpec[];
  /** How it behaves. Rarely changed. */
  readonly manner: readonly FieldSpec[];
}

/** These are at the head of the form, or on the canvas. */
const ELSEWHERE = new Set(["id", "label", "position"]);
const WAYS = new Set(["next", "otherwise", "failed"]);
const MANNER = ["outcome", "success", "interruptible", "patience", "retries", "turnsMax", "global"];
/** Where the order of the form differs from the document. */
const FIRST = ["request"];

const fieldsByType: ReadonlyMap<string, NodeFields> = new Map(
  [...kindsOf(FlowNode)].map(([type, schema]) => [type, sort(fieldsOf(schema))]),
);

export function fieldsOfNode(node: Pick<FlowNode, "type">): NodeFields {
  return fieldsByType.get(node.type) ?? { main: [], ways: [], manner: [] };
}

function sort(fields: readonly FieldSpec[]): NodeFields {
  const shown = fields.filter(({ name }) => !ELSEWHERE.has(name));
  const isFirst = ({ name }: FieldSpec) => FIRST.includes(name);
  const main = shown.filter(({ name }) => !WAYS.has(name) && !MANNER.includes(name));
  return {
    main: [...main.filter(isFirst), ...main.filter((field) => !isFirst(field))],
    ways: shown.filter(({ name }) => WAYS.has(name)),
    manner: shown.filter(({ name }) => MANNER.includes(name)).toSorted((a, b) => rank(a) - rank(b)),
  };
}

function rank({ name }: FieldSpec): number {
  return MANNER.indexOf(name);
}

/** Whether a field applies to a node. One with a value is shown, so that it can be removed. */
export function appliesToNode(node: FlowNode, path: FieldPath): boolean {
  const pattern = writePattern(path);
  if (pattern === "global.returns") return node.type === "say";
  if (node.type === "say" && pattern === "next") return node.global?.returns !== true;
  if (node.type === "branch" && pattern === "model") return needsModel(node) || node.model !== undefined;
  if (node.type !== "ask") return true;
  const kinds = ASK_FIELDS[pattern];
  if (!kinds || kinds.includes(node.answer)) return true;
  const isSet = pattern.startsWith("exits")
    ? pattern === "exits" && node.exits.length > 0
    : node[pattern as "range"] !== undefined;
  return isSet;
}

/** The kinds of answer to which a field applies; the compiler refuses it for others. */
const ASK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  exits: ["yes_no", "number", "date", "time", "choice", "digits"],
  "exits[].phrases": ["yes_no", "choice"],
  "exits[].key": ["choice"],
  range: ["number"],
  digits: ["digits"],
  dates: ["date"],
  confirm: ["number", "date", "time", "phone", "email", "name", "choice", "digits"],
};
