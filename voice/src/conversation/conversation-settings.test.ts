import { Flow, type FlowNode } from "@parley/contract/flow";
import { PATIENCES } from "@parley/contract/flow-fields";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { compileFlow } from "@parley/flow/compile";
import { expect, test } from "vitest";
import { isTurnSettingName, USUAL_TURN_SETTINGS } from "../turns/turn-settings.ts";
import { conversationSettings, patienceSettings } from "./conversation-settings.ts";

function planOf(settings: FlowSettings, ...more: readonly FlowNode[]) {
  const nodes = [{ id: "start", type: "start", next: "bye" }, { id: "bye", type: "end" }, ...more];
  const compiled = compileFlow(Flow.parse({ schemaVersion: 1, nodes, settings }));
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  return compiled.plan;
}

const message: FlowNode = { id: "message", type: "voicemail", text: "Please call back." };

test("every number that patience changes is a turn-taking setting", () => {
  for (const patience of PATIENCES) {
    expect(Object.keys(patienceSettings(patience)).filter((name) => !isTurnSettingName(name))).toEqual([]);
  }
});

test("a patient agent waits longer than usual and a quick one less, in every setting", () => {
  const usual: Readonly<Record<string, number>> = USUAL_TURN_SETTINGS;
  for (const [name, ms] of Object.entries(patienceSettings("patient"))) expect(ms).toBeGreaterThan(usual[name] ?? 0);
  for (const [name, ms] of Object.entries(patienceSettings("quick"))) expect(ms).toBeLessThan(usual[name] ?? 0);
  expect(patienceSettings("normal")).toEqual({});
});

test("without settings the agent waits for a hello, asks a silent callee once, and hangs up on a voicemail", () => {
  expect(conversationSettings(planOf({}))).toEqual({
    greeting: "after_hello",
    voicemail: { action: "hang_up", message: null },
    settings: { silencePromptsCount: 1 },
  });
});

test("a message is left on a voicemail, unless the agent or the call says otherwise", () => {
  const action = (settings: FlowSettings) => conversationSettings(planOf(settings, message)).voicemail.action;
  expect(action({})).toBe("leave_message");
  expect(action({ voicemail: "hang_up" })).toBe("hang_up");
  const wish = { action: "leave_message", message: "Call me." } as const;
  expect(conversationSettings(planOf({ voicemail: "continue" }, message), { voicemail: wish }).voicemail).toBe(wish);
});

test("the agent's settings reach turn-taking", () => {
  const { greeting, settings } = conversationSettings(
    planOf({ greeting: "immediate", patience: "patient", silence: { prompts: ["Hello?", "Still there?"] } }),
  );
  expect(greeting).toBe("immediate");
  expect(settings).toEqual({ ...patienceSettings("patient"), silencePromptsCount: 2 });
});

test("how long hold music is waited for is a setting of the agent", () => {
  const { settings } = conversationSettings(planOf({ holdMusic: { askAfterMs: 45_000, giveUpAfterMs: 300_000 } }));
  expect(settings).toMatchObject({ musicPromptMs: 45_000, musicMaxMs: 300_000 });
});
