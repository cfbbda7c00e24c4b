import { HostEnded } from "@parley/threads/work-host";
import { createManualTimers, type ManualTimers } from "@parley/time/testing/manual-timers";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { KokoroClip, KokoroWork } from "./kokoro-process.ts";
import { KokoroRenderer, type KokoroRendererOptions } from "./kokoro-renderer.ts";

/** A process whose clauses a test finishes by hand. */
interface HandProcess {
  readonly underWay: string[];
  hasEnded: boolean;
  finish(): void;
  die(): void;
}

let timers: ManualTimers;
let processes: HandProcess[];
let mayWork: boolean;
let renderer: KokoroRenderer;

function open(options: KokoroRendererOptions = {}): KokoroRenderer {
  renderer = new KokoroRenderer({
    timers,
    mayWork: () => mayWork,
    openThread: async () => {
      const waiting: PromiseWithResolvers<KokoroClip>[] = [];
      const made: HandProcess = {
        underWay: [],
        hasEnded: false,
        finish() {
          made.underWay.shift();
          waiting.shift()?.resolve({ samples: Int16Array.of(1), cpuMs: 2 });
        },
        die() {
          made.hasEnded = true;
          for (const each of waiting.splice(0)) each.reject(new HostEnded("it was killed"));
        },
      };
      processes.push(made);
      return {
        get hasEnded() {
          return made.hasEnded;
        },
        run({ text }) {
          made.underWay.push(text);
          waiting.push(Promise.withResolvers());
          return waiting.at(-1)?.promise ?? Promise.reject(new Error("nothing waits"));
        },
        async end() {
          made.die();
        },
      };
    },
    ...options,
  });
  return renderer;
}

const workOf = (text: string): KokoroWork => ({ text, voiceId: "af_heart", speed: 1 });
const outcomeOf = (clip: Promise<KokoroClip>) => clip.catch((error: unknown) => error);
/** Until what was begun has come as far as it can without time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  timers = createManualTimers();
  processes = [];
  mayWork = true;
});

afterEach(async () => {
  await renderer.close();
  expect(processes.every(({ hasEnded }) => hasEnded)).toBe(true);
  expect(timers.pending()).toBe(0);
});

test("nothing is loaded before there is something to render, and one clause is rendered at a time", async () => {
  open();
  expect(processes).toHaveLength(0);
  const [one, two] = [renderer.render(workOf("one")), renderer.render(workOf("two"))];
  await settle();
  expect(processes.map(({ underWay }) => [...underWay])).toEqual([["one"]]);
  processes[0]?.finish();
  await one;
  await settle();
  expect(processes[0]?.underWay).toEqual(["two"]);
  processes[0]?.finish();
  expect((await two).samples).toEqual(Int16Array.of(1));
});

test("what a call waits for goes before what is rendered for later", async () => {
  open();
  void outcomeOf(renderer.render(workOf("first")));
  void outcomeOf(renderer.render(workOf("later")));
  void outcomeOf(renderer.render(workOf("urgent"), { isUrgent: true }));
  await settle();
  processes[0]?.finish();
  await settle();
  expect(processes[0]?.underWay).toEqual(["urgent"]);
});

test("nothing is begun while live calls are late, and it goes on by itself afterwards", async () => {
  mayWork = false;
  open();
  const clip = renderer.render(workOf("one"));
  await settle();
  timers.pass(250);
  await settle();
  expect(processes).toHaveLength(0);
  mayWork = true;
  timers.pass(250);
  await settle();
  processes[0]?.finish();
  await clip;
});

test("the memory is given back after a while without work, and taken again when there is some", async () => {
  open({ idleMaxMs: 1_000 });
  const one = renderer.render(workOf("one"));
  await settle();
  processes[0]?.finish();
  await one;
  await settle();
  timers.pass(1_000);
  await settle();
  expect(processes[0]?.hasEnded).toBe(true);
  expect(renderer.isLoaded).toBe(false);
  const two = renderer.render(workOf("two"));
  await settle();
  processes[1]?.finish();
  await two;
});

test("a killed process is replaced and its clause rendered all the same", async () => {
  open();
  const clip = renderer.render(workOf("one"));
  await settle();
  processes[0]?.die();
  await settle();
  processes[1]?.finish();
  expect((await clip).samples).toEqual(Int16Array.of(1));
});

test("a process that is stuck is given up, and what waits is rendered by another one", async () => {
  open({ clauseMaxMs: 5_000 });
  const stuck = outcomeOf(renderer.render(workOf("stuck")));
  const next = renderer.render(workOf("next"));
  await settle();
  timers.pass(5_000);
  expect(await stuck).toMatchObject({ name: "ProviderError", retryable: true });
  await settle();
  expect(processes[0]?.hasEnded).toBe(true);
  processes[1]?.finish();
  await next;
});

test("whoever leaves is not rendered for", async () => {
  open();
  const controller = new AbortController();
  void outcomeOf(renderer.render(workOf("one")));
  const left = outcomeOf(renderer.render(workOf("left"), { signal: controller.signal }));
  const reason = new Error("the call was hung up");
  controller.abort(reason);
  expect(await left).toBe(reason);
  expect(renderer.waiting).toBe(0);
});

test("a queue that is full says so at once, and a closed renderer too", async () => {
  open({ waitingMax: 1 });
  const one = outcomeOf(renderer.render(workOf("one")));
  const two = outcomeOf(renderer.render(workOf("two")));
  expect(await outcomeOf(renderer.render(workOf("three")))).toMatchObject({ retryable: true });
  await renderer.close();
  expect(await one).toBeInstanceOf(ProviderError);
  expect(await two).toBeInstanceOf(ProviderError);
  expect(await outcomeOf(renderer.render(workOf("four")))).toBeInstanceOf(ProviderError);
});
