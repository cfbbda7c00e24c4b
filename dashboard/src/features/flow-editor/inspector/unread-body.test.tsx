import type { Flow, FlowNode } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { removeNodes, replaceNode } from "../model/edit-flow.ts";
import { createEditorStore, type EditorStore } from "../model/editor-store.ts";
import { NO_NOTES } from "../model/flow-notes.ts";
import { nodeOf } from "../model/testing/small-flow.ts";
import { withUnread } from "../problems/word-notes.ts";
import { ToolsSection } from "../settings/tools-section.tsx";
import { EditorStoreProvider, useEditor } from "../use-editor.ts";
import { NodeInspector } from "./node-inspector.tsx";

vi.mock("@tanstack/react-router", () => ({ Link: () => null }));

const request = { method: "POST" as const, url: "https://example.com", body: { day: 1 } };
const tool = (name: string) => ({ name, description: name, request });
const flow: Flow = {
  schemaVersion: 1,
  variables: [],
  nodes: [
    { id: "start", type: "start", next: "book" } satisfies FlowNode,
    { id: "book", type: "tool", request, next: "bye", failed: "bye" },
    { id: "bye", type: "end" },
  ],
  tools: [tool("first"), tool("second")],
};

/** The form of the selected node, and the problems that it causes. */
function Editor({ store }: { readonly store: EditorStore }) {
  const [nodeId] = useEditor(store, (state) => state.selection);
  const shown = useEditor(store, (state) => state.flow);
  const unread = useEditor(store, (state) => state.unread);
  const { problems } = withUnread(shown, NO_NOTES, unread);
  const edit = (next: FlowNode) => store.edit((now) => replaceNode(now, next));
  return (
    <EditorStoreProvider value={store}>
      {nodeId === undefined ? (
        <ToolsSection agentId="agent_1" flow={shown} problems={problems} onFlow={(next) => store.edit(() => next)} />
      ) : (
        <NodeInspector
          agentId="agent_1"
          flow={shown}
          node={nodeOf(shown, nodeId)}
          problems={problems}
          onChange={edit}
        />
      )}
      <ul aria-label="Problems">
        {problems.map(({ path, place, message }) => (
          <li key={path}>{`${path} ${place}: ${message}`}</li>
        ))}
      </ul>
    </EditorStoreProvider>
  );
}

function open(selection: readonly string[]): EditorStore {
  const store = createEditorStore(flow);
  store.select(selection);
  renderWithQueries(<Editor store={store} />);
  return store;
}

const bodies = () => screen.getAllByLabelText<HTMLTextAreaElement>(/^Body \(JSON\)/);
const problems = () => [...screen.getByRole("list", { name: "Problems" }).children].map((item) => item.textContent);
const select = async (store: EditorStore, ids: readonly string[]) => {
  store.select(ids);
  await screen.findByRole("heading", { name: ids[0] === "bye" ? "Bye" : "Book" });
};

async function write(place: number, text: string): Promise<void> {
  const body = bodies()[place];
  if (!body) throw new Error("the body is not shown");
  await userEvent.clear(body);
  await userEvent.click(body);
  await userEvent.paste(text);
}

const UNREAD = "nodes[1].request.body Book: “Body (JSON)” is not valid JSON, so it is not saved. Complete or empty it.";

test("JSON that cannot be read is a problem of its node, and is still there when the node is selected again", async () => {
  const store = open(["book"]);
  await write(0, '{"day": ');
  expect(problems()).toEqual([UNREAD]);
  await select(store, ["bye"]);
  expect(problems()).toEqual([UNREAD]);
  await select(store, ["book"]);
  expect(bodies()[0]?.value).toBe('{"day": ');
  await write(0, '{"day": 2}');
  expect(problems()).toEqual([]);
  expect(nodeOf(store.getSnapshot().flow, "book")).toMatchObject({ request: { body: { day: 2 } } });
});

test("it follows its node to another id, and is gone as long as the node is removed", async () => {
  const store = open(["book"]);
  await write(0, "[");
  const id = screen.getByLabelText("ID");
  await userEvent.clear(id);
  await userEvent.type(id, "reserve{Enter}");
  expect(problems().map((problem) => problem?.slice(0, 30))).toEqual(["nodes[1].request.body Reserve:"]);
  expect(bodies()[0]?.value).toBe("[");
  store.edit((now) => removeNodes(now, new Set(["reserve"])));
  await screen.findByText("first", { selector: "summary" });
  expect(problems()).toEqual([]);
  store.undo();
  await screen.findByText(/^nodes\[1\]\.request\.body Reserve:/);
});

test("that of a tool stays with its tool when the one before it is removed", async () => {
  open([]);
  await write(1, "{");
  expect(problems()).toEqual([expect.stringContaining("tools[1].request.body Tools: “Body (JSON)” is not valid JSON")]);
  const [remove] = screen.getAllByRole("button", { name: "Remove this tool" });
  if (remove) await userEvent.click(remove);
  expect(problems()).toEqual([expect.stringContaining("tools[0].request.body Tools:")]);
  expect(bodies().map(({ value }) => value)).toEqual(["{"]);
});

test("it is forgotten when the draft is replaced", async () => {
  const store = open(["book"]);
  await write(0, "{");
  store.load(flow);
  await select(store, ["bye"]);
  expect(problems()).toEqual([]);
});
