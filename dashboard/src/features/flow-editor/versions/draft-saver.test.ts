import type { Agent, AgentChanges } from "@parley/contract/agents";
import { expect, it } from "vitest";
import { ApiError } from "../../../api/api-error.ts";
import { replaceNode } from "../model/edit-flow.ts";
import { createEditorStore } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { createDraftSaver } from "./draft-saver.ts";
import type { LocalDraft } from "./local-draft.ts";

const flow = smallFlow();
const agent = { id: "agt_1", name: "Ours", revision: 4, flow } as unknown as Agent;

/** A page with a scripted service and a manual clock. */
function openPage(unsaved: LocalDraft | null = null) {
  const store = createEditorStore(unsaved?.flow ?? flow);
  const timers = new Set<{ due: () => void }>();
  const kept = new Map<string, LocalDraft>();
  const sent: { changes: AgentChanges; revision: number }[] = [];
  const page = { answer: async (revision: number): Promise<Agent> => ({ ...agent, revision: revision + 1 }) };
  const saver = createDraftSaver({
    agent,
    store,
    unsaved,
    drafts: {
      read: (id) => kept.get(id) ?? null,
      keep: (id, draft) => void kept.set(id, draft),
      forget: (id) => void kept.delete(id),
    },
    save(changes, revision) {
      sent.push({ changes, revision });
      return page.answer(revision);
    },
    onSaved: () => undefined,
    after(_ms, due) {
      const timer = { due };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    nowMs: () => 0,
  });
  const stop = saver.start();
  async function passTime(): Promise<void> {
    for (const timer of [...timers]) {
      if (timers.delete(timer)) timer.due();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const say = (text: string) => store.edit((now) => replaceNode(now, { id: "bye", type: "end", text }));
  return { store, saver, kept, sent, page, passTime, say, stop, timers };
}

const unreachable = () => Promise.reject(new ApiError(null));

it("saves the draft with its base revision, and then discards the local copy", async () => {
  const { saver, kept, sent, passTime, say } = openPage();
  say("Bye.");
  saver.changeFields({ name: "Theirs" });
  saver.keepNow();
  expect(kept.size).toBe(1);
  await passTime();
  expect(sent).toMatchObject([{ revision: 4, changes: { name: "Theirs", flow: { schemaVersion: 1 } } }]);
  expect(saver.getSnapshot()).toEqual({ kind: "saved", revision: 5 });
  expect(kept.size).toBe(0);
});

it("keeps unsaved changes on this machine, and saves them when the service is back", async () => {
  const { saver, kept, sent, page, passTime, say } = openPage();
  page.answer = unreachable;
  say("Bye.");
  saver.changeFields({ language: "en-GB" });
  await passTime();
  expect(saver.getSnapshot()).toMatchObject({ kind: "away", attempts: 1 });
  say("Bye, then.");
  await passTime();
  expect(kept.get("agt_1")).toMatchObject({ revision: 4, fields: { language: "en-GB" } });
  page.answer = async (revision) => ({ ...agent, revision: revision + 1 });
  saver.retry();
  await passTime();
  expect(saver.getSnapshot()).toEqual({ kind: "saved", revision: 5 });
  expect(JSON.stringify(sent.at(-1)?.changes)).toContain("Bye, then.");
  expect(sent.at(-1)?.changes.language).toBe("en-GB");
  expect(kept.size).toBe(0);
});

it("saves leftover changes on opening, and asks first when the draft has moved on", async () => {
  const mine = replaceNode(flow, { id: "bye", type: "end", text: "Mine." });
  const back = openPage({ revision: 4, flow: mine, sent: null, fields: {}, keptAtMs: 0 });
  await back.passTime();
  expect(back.sent).toMatchObject([{ revision: 4 }]);
  const late = openPage({ revision: 3, flow: mine, sent: null, fields: {}, keptAtMs: 0 });
  await late.passTime();
  expect(late.sent).toEqual([]);
  expect(late.saver.getSnapshot().kind).toBe("overtaken");
});

it("names the member who was first, and overwrites only on request", async () => {
  const { saver, sent, page, passTime, say } = openPage();
  const details = [{ param: "If-Match", code: "changed_by", message: "The last change was made by ada@example.com." }];
  const error = {
    code: "draft_conflict",
    message: "The draft is at revision 6.",
    requestId: "req_1",
    docUrl: "",
  } as const;
  page.answer = () => Promise.reject(new ApiError({ ...error, retryable: false, details }));
  say("Bye.");
  await passTime();
  expect(saver.getSnapshot()).toMatchObject({ kind: "overtaken", message: details[0]?.message, isByYou: false });
  say("Bye now.");
  await passTime();
  expect(sent).toHaveLength(1);
  page.answer = async (revision) => ({ ...agent, revision: revision + 1 });
  saver.decide(6, true);
  await passTime();
  expect(sent.at(-1)?.revision).toBe(6);
  expect(saver.getSnapshot()).toEqual({ kind: "saved", revision: 7 });
});

it("saves pending changes immediately before publishing, and reports whether all is saved", async () => {
  const { saver, page, say, stop, timers } = openPage();
  expect(await saver.flush()).toBe(true);
  say("Bye.");
  expect(await saver.flush()).toBe(true);
  page.answer = unreachable;
  say("Bye again.");
  expect(await saver.flush()).toBe(false);
  stop();
  expect(timers.size).toBe(0);
});

it("knows when it was the same member who was first, in another window", async () => {
  const { saver, page, passTime, say } = openPage();
  const details = [{ param: "If-Match", code: "changed_by_you", message: "You made the last change yourself." }];
  const error = {
    code: "draft_conflict",
    message: "The draft is at revision 6.",
    requestId: "req_1",
    docUrl: "",
  } as const;
  page.answer = () => Promise.reject(new ApiError({ ...error, retryable: false, details }));
  say("Bye.");
  await passTime();
  expect(saver.getSnapshot()).toMatchObject({ kind: "overtaken", isByYou: true });
});

it("takes over what was saved elsewhere, and saves later changes on top of it", async () => {
  const { store, saver, sent, passTime, say } = openPage();
  const theirs = replaceNode(flow, { id: "bye", type: "end", text: "Theirs." });
  expect(saver.adopt(9, theirs)).toBe(true);
  expect(store.getSnapshot().flow).toBe(theirs);
  expect(saver.getSnapshot()).toEqual({ kind: "saved", revision: 9 });
  await passTime();
  expect(sent).toEqual([]);
  say("Mine.");
  await passTime();
  expect(sent).toMatchObject([{ revision: 9 }]);
});

it("takes over nothing while there are changes here, or when it is not newer", () => {
  const { store, saver, say } = openPage();
  expect(saver.adopt(4, smallFlow())).toBe(false);
  store.keepUnread("tool.request.body", "{");
  expect(saver.adopt(9, smallFlow())).toBe(false);
  store.keepUnread("tool.request.body", null);
  say("Mine.");
  expect(saver.adopt(9, smallFlow())).toBe(false);
  expect(saver.getSnapshot()).toEqual({ kind: "waiting", revision: 4 });
});
