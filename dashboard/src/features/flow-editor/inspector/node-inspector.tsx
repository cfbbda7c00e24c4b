import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowProblem } from "@parley/flow/problem";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { Notice } from "../../../ui/notice.tsx";
import { FieldEditor } from "../fields/field-editor.tsx";
import { type FieldScope, FieldScopeProvider } from "../fields/field-scope.tsx";
import { Fields } from "../fields/group-field.tsx";
import { namesInNode } from "../fields/names-at.ts";
import { homelessProblems, problemsBelow } from "../fields/problems-at.ts";
import type { FieldSpec } from "../fields/schema-fields.ts";
import { shownPaths } from "../fields/shown-paths.ts";
import { useEditorStore } from "../use-editor.ts";
import { appliesToNode, fieldsOfNode } from "./node-fields.ts";
import { NodeHead } from "./node-head.tsx";
import { TryRequest } from "./try-request.tsx";

interface NodeInspectorProps {
  readonly flow: Flow;
  readonly node: FlowNode;
  readonly problems: readonly FlowProblem[];
  onChange(node: FlowNode): void;
}

/** Everything about one node, as its schema declares it. */
export function NodeInspector({ flow, node, problems, onChange }: NodeInspectorProps) {
  const store = useEditorStore();
  const { agentId = "" } = useParams({ strict: false });
  const { main, ways, manner } = fieldsOfNode(node);
  const place = flow.nodes.findIndex(({ id }) => id === node.id);
  const found = useMemo(() => problemsBelow(problems, `nodes[${place}]`), [problems, place]);
  const scope: FieldScope = {
    agentId,
    flow,
    subject: node.type,
    whole: node,
    problems: found,
    Editor: FieldEditor,
    placeholders: (pattern) => namesInNode(flow, pattern),
    applies: (path) => appliesToNode(node, path),
    declare: (name) => store.edit((now) => ({ ...now, variables: [...now.variables, name] })),
    visit: (nodeId) => store.goTo(nodeId),
  };
  const all = [...main, ...ways, ...manner];
  const homeless = homelessProblems(found, shownPaths(all, node, scope.applies));
  const form = (fields: readonly FieldSpec[]) => (
    <Fields fields={fields} path={[]} value={node} onChange={(next) => onChange(next as FlowNode)} />
  );
  const usesMore = manner.some(({ name }) => Object.hasOwn(node, name));
  return (
    // A node of its own has fields of its own: nothing half written goes over to the next.
    <FieldScopeProvider key={node.id} scope={scope}>
      <div className="space-y-5">
        <NodeHead node={node} onChange={onChange} />
        {homeless.map((message) => (
          <Notice key={message} tone="danger">
            {message}
          </Notice>
        ))}
        {form(main)}
        {node.type === "tool" ? <TryRequest request={node.request} saves={node.saves ?? []} /> : null}
        {ways.length > 0 ? <div className="space-y-4 border-t border-line pt-5">{form(ways)}</div> : null}
        {manner.length > 0 ? (
          <details open={usesMore} className="border-t border-line pt-4">
            <summary className="text-sm font-medium">{MANNER_WORDS[node.type] ?? "More"}</summary>
            <div className="mt-4 space-y-4">{form(manner)}</div>
          </details>
        ) : null}
      </div>
    </FieldScopeProvider>
  );
}

const MANNER_WORDS: Readonly<Partial<Record<FlowNode["type"], string>>> = {
  say: "Interruption, and from anywhere",
  ask: "Interruption, patience, retries, and from anywhere",
  conversation: "Interruption, patience, limits, and from anywhere",
  transfer: "Interruption, and from anywhere",
  end: "Interruption, and from anywhere",
  branch: "From anywhere",
  set: "From anywhere",
  dtmf: "From anywhere",
  tool: "From anywhere",
};
