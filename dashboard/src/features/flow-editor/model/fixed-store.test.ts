import { EMPTY_FLOW } from "@parley/contract/flow";
import { expect, it } from "vitest";
import { removeNodes } from "./edit-flow.ts";
import { createFixedStore } from "./fixed-store.ts";
import { smallFlow } from "./testing/small-flow.ts";

it("lets a flow be looked at, and never changed", () => {
  const flow = smallFlow();
  const store = createFixedStore(flow);
  let changes = 0;
  const stop = store.subscribe(() => (changes += 1));
  store.edit((now) => removeNodes(now, new Set(["bye"])));
  store.load(EMPTY_FLOW);
  store.undo();
  store.redo();
  expect(changes).toBe(0);
  store.setPath(["start", "coming"]);
  store.goTo("coming");
  stop();
  expect(changes).toBe(2);
  expect(store.getSnapshot()).toMatchObject({ path: ["start", "coming"], selection: ["coming"] });
  expect(store.getSnapshot().flow).toBe(flow);
});
