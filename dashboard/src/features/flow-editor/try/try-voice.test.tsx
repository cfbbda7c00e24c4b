import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { createEditorStore } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { TryVoice } from "./try-voice.tsx";

vi.mock("../audio/audio-worklet.ts?worker&url", () => ({ default: "worklet.js" }));
vi.mock("@tanstack/react-router", () => ({ Link: () => null }));

const contexts: FakeContext[] = [];
const sockets: FakeSocket[] = [];
const tracks = { stop: vi.fn() };

/** As in a browser, a context that is closed refuses to be closed again. */
class FakeContext {
  state = "running";
  readonly sampleRate = 48_000;
  readonly destination = {};
  readonly audioWorklet = { addModule: async () => undefined };
  constructor() {
    contexts.push(this);
  }
  resume = async () => undefined;
  createMediaStreamSource = () => ({ connect: () => undefined });
  async close(): Promise<void> {
    if (this.state === "closed") throw new DOMException("Cannot close a closed AudioContext.", "InvalidStateError");
    this.state = "closed";
  }
}

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = FakeSocket.OPEN;
  readonly send = vi.fn();
  constructor() {
    super();
    sockets.push(this);
  }
  close(): void {
    this.readyState = 3;
  }
  say(event: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) }));
  }
}

class FakeNode {
  readonly port = { postMessage: () => undefined, onmessage: null };
  connect = () => undefined;
}

let allow: () => void;

beforeEach(() => {
  contexts.length = 0;
  sockets.length = 0;
  tracks.stop.mockClear();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("AudioWorkletNode", FakeNode);
  vi.stubGlobal("WebSocket", FakeSocket);
  const stream = { getTracks: () => [tracks] };
  const asked = new Promise((resolve) => {
    allow = () => resolve(stream);
  });
  vi.stubGlobal("navigator", { ...navigator, mediaDevices: { getUserMedia: () => asked } });
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)));

function startTalking() {
  const { unmount } = renderWithQueries(
    <TryVoice agentId="agent_1" flow={smallFlow()} store={createEditorStore(smallFlow())} />,
  );
  fireEvent.click(screen.getByRole("button", { name: "Start talking" }));
  return unmount;
}

test("a conversation that ended and is then left closes the microphone and the loudspeaker once each", async () => {
  const leave = startTalking();
  allow();
  await settle();
  await act(async () => {
    sockets[0]?.say({ type: "ready", sampleRateHz: 16_000, secondsMax: 600 });
    sockets[0]?.say({ type: "ended", reason: "agent_hangup", by: "agent" });
    sockets[0]?.dispatchEvent(new Event("close"));
  });
  leave();
  await vi.advanceTimersByTimeAsync(2000);
  expect(contexts.map(({ state }) => state)).toEqual(["closed", "closed"]);
});

test("a conversation that is left while the browser asks for the microphone does not keep it open", async () => {
  const leave = startTalking();
  await settle();
  leave();
  allow();
  await settle();
  expect(contexts.map(({ state }) => state)).toEqual(["closed", "closed"]);
  expect(tracks.stop).toHaveBeenCalled();
  expect(sockets.map(({ readyState }) => readyState)).toEqual([3]);
});
