import type { FlowNode } from "@parley/contract/flow";
import { useState } from "react";
import { TextField } from "../../../ui/field.tsx";
import { useToast } from "../../../ui/toast.tsx";
import { toName } from "../fields/plain-fields.tsx";
import { renameNode } from "../model/edit-flow.ts";
import { NODE_KINDS, nameOfType, titleOf } from "../model/node-kinds.ts";
import { useEditorStore } from "../use-editor.ts";

interface NodeHeadProps {
  readonly node: FlowNode;
  onChange(node: FlowNode): void;
}

/** What the node is, what it is called, and the name by which transcripts and other nodes know it. */
export function NodeHead({ node, onChange }: NodeHeadProps) {
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
          label="Title"
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

/** An id is changed everywhere at once, when the field is left. */
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
      store.select([written]);
    } else {
      setWritten(id);
      toast({ text: written === "" ? "A node needs an id." : `Another node is called “${written}” already.` });
    }
  };
  return (
    <TextField
      label="Id"
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
