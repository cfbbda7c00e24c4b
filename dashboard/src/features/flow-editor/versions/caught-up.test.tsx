import type { Agent } from "@parley/contract/agents";
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { replaceNode } from "../model/edit-flow.ts";
import { createEditorStore } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { createDraftSaver, useCaughtUp } from "./draft-saver.ts";

const theirs = replaceNode(smallFlow(), { id: "bye", type: "end", position: { x: 0, y: 0 }, text: "Theirs." });
const agent = { id: "agt_1", revision: 4, flow: smallFlow() } as unknown as Agent;

/** A page that shows the draft at revision 4, while the service has revision 5. */
function openPage(now: Agent = { ...agent, revision: 5, flow: theirs }) {
  const fetched = vi.fn(async () => Response.json({ success: true, data: now }));
  vi.stubGlobal("fetch", fetched);
  const store = createEditorStore(agent.flow);
  const saver = createDraftSaver({
    ...{ agent, store, unsaved: null, onSaved: () => undefined, nowMs: () => 0, after: () => () => undefined },
    drafts: { read: () => null, keep: () => undefined, forget: () => undefined },
    save: () => Promise.reject(new Error("nothing is saved here")),
  });
  saver.start();
  const onAdopted = vi.fn();
  const { result, unmount } = renderHook(() => useCaughtUp(saver, agent.id, onAdopted));
  return { store, saver, fetched, onAdopted, announce: result.current, unmount };
}

const settle = () => act(() => new Promise((resolve) => setImmediate(resolve)));

test("a tab without changes shows what another tab of the same browser has saved", async () => {
  const page = openPage();
  const other = openPage();
  other.announce();
  await vi.waitFor(() => expect(page.onAdopted).toHaveBeenCalledWith(expect.objectContaining({ revision: 5 })));
  expect(page.store.getSnapshot().flow).toEqual(theirs);
  // The tab that saved hears nothing of itself.
  expect(other.onAdopted).not.toHaveBeenCalled();
});

test("a tab that is looked at again shows what was saved meanwhile, once", async () => {
  const { onAdopted, fetched } = openPage();
  window.dispatchEvent(new Event("focus"));
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(onAdopted).toHaveBeenCalledTimes(1));
  window.dispatchEvent(new Event("focus"));
  await settle();
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(onAdopted).toHaveBeenCalledTimes(1);
});

test("a tab with changes of its own keeps them", async () => {
  const { store, fetched, onAdopted } = openPage();
  store.edit((flow) => replaceNode(flow, { id: "bye", type: "end", text: "Mine." }));
  window.dispatchEvent(new Event("focus"));
  await settle();
  expect(fetched).not.toHaveBeenCalled();
  expect(onAdopted).not.toHaveBeenCalled();
});
