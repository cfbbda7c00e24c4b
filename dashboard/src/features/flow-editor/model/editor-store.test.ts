import { describe, expect, it } from "vitest";
import { addNode, removeNodes, replaceNode } from "./edit-flow.ts";
import { createEditorStore } from "./editor-store.ts";
import { smallFlow } from "./testing/small-flow.ts";

function openStore() {
  let nowMs = 0;
  const store = createEditorStore(smallFlow(), () => nowMs);
  const type = (text: string) => store.edit((flow) => replaceNode(flow, { id: "bye", type: "end", text }), "text:bye");
  return { store, type, wait: (ms: number) => (nowMs += ms) };
}

const byeText = (store: ReturnType<typeof openStore>["store"]) => {
  const node = store.getSnapshot().flow.nodes.find(({ id }) => id === "bye");
  return node?.type === "end" ? node.text : undefined;
};

describe("the editor's memory", () => {
  it("takes back a word that was typed in one go as one step", () => {
    const { store, type, wait } = openStore();
    for (const text of ["B", "By", "Bye"]) {
      type(text);
      wait(200);
    }
    wait(5000);
    type("Bye!");
    store.undo();
    expect(byeText(store)).toBe("Bye");
    store.undo();
    expect(byeText(store)).toBe("See you then.");
    store.redo();
    store.redo();
    expect(byeText(store)).toBe("Bye!");
  });

  it("forgets what was taken back once something else is done", () => {
    const { store, type } = openStore();
    type("One");
    store.undo();
    store.edit((flow) => addNode(flow, "say", { x: 0, y: 0 }).flow);
    store.redo();
    expect(byeText(store)).toBe("See you then.");
    expect(store.getSnapshot().flow.nodes).toHaveLength(5);
  });

  it("selects nothing that is gone, and brings deleted nodes back", () => {
    const { store } = openStore();
    store.select(["bye", "sorry"]);
    store.edit((flow) => removeNodes(flow, new Set(["bye"])));
    expect(store.getSnapshot().selection).toEqual(["sorry"]);
    store.undo();
    expect(store.getSnapshot().flow).toEqual(smallFlow());
  });

  it("tells those who look only when something changed, until they stop looking", () => {
    const { store } = openStore();
    let told = 0;
    const stop = store.subscribe(() => {
      told += 1;
    });
    store.select([]);
    store.edit((flow) => flow);
    store.setPath([]);
    expect(told).toBe(0);
    store.goTo("bye");
    store.goTo("bye");
    expect(told).toBe(2);
    expect(store.getSnapshot()).toMatchObject({ selection: ["bye"], focus: { nodeId: "bye" } });
    stop();
    store.undo();
    store.setActiveNode("bye");
    expect(told).toBe(2);
  });
});
