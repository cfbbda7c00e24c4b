import type { Flow } from "@parley/contract/flow";
import { FlowTool } from "@parley/contract/flow-request";
import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { FieldEditor } from "../fields/field-editor.tsx";
import { FieldScopeProvider, namesInTool, problemsBelow, unreadOf } from "../fields/field-scope.tsx";
import { Fields } from "../fields/group-field.tsx";
import { fieldsOf } from "../fields/schema-fields.ts";
import { TryRequest } from "../inspector/try-request.tsx";
import type { FlowNote } from "../model/flow-notes.ts";
import { useEditorStore } from "../use-editor.ts";
import { editorSettingsText } from "./text.ts";

interface ToolsSectionProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly problems: readonly FlowNote[];
  onFlow(flow: Flow): void;
}

const FIELDS = fieldsOf(FlowTool);
const TOOLS_MAX = 50;

/** Requests that a language model may make in a conversation. */
export function ToolsSection({ agentId, flow, problems, onFlow }: ToolsSectionProps) {
  const tools = flow.tools ?? [];
  const store = useEditorStore();
  const keys = useItemKeys(tools.length);
  const keep = (next: readonly FlowTool[]) => {
    const { tools: _, ...rest } = flow;
    onFlow(next.length > 0 ? { ...rest, tools: [...next] } : rest);
  };
  const add = () => keep([...tools, { name: freeName(tools), description: "", request: { method: "GET", url: "" } }]);
  return (
    <div className="space-y-3">
      <p className="text-sm text-ink-soft">{editorSettingsText.toolsLead}</p>
      {tools.map((tool, index) => (
        <FieldScopeProvider
          key={keys.at(index)}
          scope={{
            agentId,
            flow,
            subject: "model_tool",
            whole: tool,
            problems: problemsBelow(problems, placeOf(index)),
            Editor: FieldEditor,
            placeholders: () => namesInTool(flow, tool.parameters ?? []),
            applies: () => true,
            unread: unreadOf(store, placeOf(index)),
          }}
        >
          <details className="rounded-xl border border-line px-3.5 py-3" open={tool.description === ""}>
            <summary className="font-mono text-[0.8125rem] font-medium">{tool.name}</summary>
            <div className="mt-4 space-y-4">
              <Fields
                fields={FIELDS}
                path={[]}
                value={tool}
                onChange={(next) => keep(tools.map((old, at) => (at === index ? (next as FlowTool) : old)))}
              />
              <TryRequest request={tool.request} saves={[]} />
              <Button
                size="small"
                look="quiet"
                onClick={() => {
                  keys.remove(index);
                  keep(tools.filter((_, at) => at !== index));
                  store.moveUnread((place) => placeWithout(index, place));
                }}
              >
                <X aria-hidden="true" />
                {editorSettingsText.removeTool}
              </Button>
            </div>
          </details>
        </FieldScopeProvider>
      ))}
      {tools.length < TOOLS_MAX ? (
        <Button size="small" onClick={add}>
          <Plus aria-hidden="true" />
          {editorSettingsText.addTool}
        </Button>
      ) : null}
    </div>
  );
}

const placeOf = (index: number) => `tools[${index}]`;

/** The place of a text of a tool after another tool was removed; null for one of the removed tool. */
function placeWithout(removed: number, place: string): string | null {
  const index = Number(/^tools\[(\d+)\]/.exec(place)?.[1] ?? -1);
  if (index === removed) return null;
  return index > removed ? place.replace(placeOf(index), placeOf(index - 1)) : place;
}

function freeName(tools: readonly FlowTool[]): string {
  const taken = new Set(tools.map(({ name }) => name));
  for (let number = 1; ; number += 1) if (!taken.has(`tool_${number}`)) return `tool_${number}`;
}

/**
 * React keys for tools, which have no id and are renamed while they are edited. A key stays with its tool when another is
 * removed, and with it what only the page knows: whether the tool is open, and the result of its test request.
 */
function useItemKeys(count: number) {
  const keys = useRef<number[]>([]);
  const created = useRef(0);
  while (keys.current.length < count) keys.current.push(created.current++);
  keys.current.length = count;
  return {
    at: (index: number) => keys.current[index],
    remove: (index: number) => void keys.current.splice(index, 1),
  };
}
