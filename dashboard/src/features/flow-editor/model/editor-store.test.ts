import { EMPTY_FLOW } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { addNode, removeNodes, replaceNode } from "./edit-flow.ts";
import { createEditorStore, createFixedStore } from "./editor-store.ts";
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

describe("the editor's history", () => {
  it("undoes a word that was typed in one go as one step", () => {
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

  it("forgets what was undone once something else is done", () => {
    const { store, type } = openStore();
    type("One");
    store.undo();
    store.edit((flow) => addNode(flow, "say", { x: 0, y: 0 }).flow);
    store.redo();
    expect(byeText(store)).toBe("See you then.");
    expect(store.getSnapshot().flow.nodes).toHaveLength(5);
  });

  it("selects nothing that is gone, and restores deleted nodes", () => {
    const { store } = openStore();
    store.select(["bye", "sorry"]);
    store.edit((flow) => removeNodes(flow, new Set(["bye"])));
    expect(store.getSnapshot().selection).toEqual(["sorry"]);
    store.undo();
    expect(store.getSnapshot().flow).toEqual(smallFlow());
  });

  describe("an offer to undo one step", () => {
    const addSay = (store: ReturnType<typeof openStore>["store"]) =>
      store.edit((flow) => addNode(flow, "say", { x: 0, y: 0 }).flow);
    const nodeCount = (store: ReturnType<typeof openStore>["store"]) => store.getSnapshot().flow.nodes.length;

    it("undoes that step while it is the last one", () => {
      const { store } = openStore();
      const offer = addSay(store);
      expect([offer?.isOpen(), nodeCount(store)]).toEqual([true, 5]);
      offer?.undo();
      expect([offer?.isOpen(), nodeCount(store)]).toEqual([false, 4]);
    });

    it.each<[string, (store: ReturnType<typeof openStore>["store"], type: (text: string) => void) => void]>([
      ["was undone already", (store) => store.undo()],
      ["was undone and undoing was, too, and then undone again", (store) => [store.undo(), store.redo(), store.undo()]],
      ["was followed by another edit", (_, type) => type("Bye")],
      ["was undone, then something else was done", (store, type) => [store.undo(), type("Bye")]],
      ["is gone because another flow was loaded", (store) => store.load(smallFlow())],
    ])("does nothing once its step %s", (_, happen) => {
      const { store, type } = openStore();
      type("An earlier step");
      const offer = addSay(store);
      happen(store, type);
      const before = store.getSnapshot();
      expect(offer?.isOpen()).toBe(false);
      offer?.undo();
      expect(store.getSnapshot()).toBe(before);
    });

    it("is open again after a redo, and then undoes the same step", () => {
      const { store, type } = openStore();
      type("An earlier step");
      const offer = addSay(store);
      store.undo();
      store.redo();
      expect(offer?.isOpen()).toBe(true);
      offer?.undo();
      expect([nodeCount(store), byeText(store)]).toEqual([4, "An earlier step"]);
    });

    it("closes when the step grows by more of the same run", () => {
      const { store } = openStore();
      const rename = (text: string) =>
        store.edit((flow) => replaceNode(flow, { id: "bye", type: "end", text }), "text");
      const offer = rename("a");
      rename("ab");
      expect(offer?.isOpen()).toBe(false);
    });

    it("is not made if nothing changed", () => {
      expect(openStore().store.edit((flow) => flow)).toBeNull();
    });

    it("notifies when it opens and closes", () => {
      const { store } = openStore();
      const offer = addSay(store);
      const seen: (boolean | undefined)[] = [];
      const stop = offer?.subscribe(() => seen.push(offer.isOpen()));
      store.undo();
      store.redo();
      stop?.();
      store.undo();
      expect(seen).toEqual([false, true]);
    });
  });

  it("notifies subscribers only when something changed, until they unsubscribe", () => {
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

it("allows a flow to be viewed, and never changed", () => {
  const flow = smallFlow();
  const store = createFixedStore(flow);
  let changes = 0;
  const stop = store.subscribe(() => (changes += 1));
  store.edit((now) => removeNodes(now, new Set(["bye"])));
  store.load(EMPTY_FLOW);
  store.undo();
  store.redo();
  expect(changes).toBe(0);
  store.setPath([{ nodeId: "start" }, { nodeId: "coming" }]);
  store.goTo("coming");
  stop();
  expect(changes).toBe(2);
  expect(store.getSnapshot()).toMatchObject({
    path: [{ nodeId: "start" }, { nodeId: "coming" }],
    selection: ["coming"],
  });
  expect(store.getSnapshot().flow).toBe(flow);
});
