import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { systemClock } from "@parley/time/clock";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { renderClip } from "../../clip-cache.ts";
import { ClipFolder } from "../../clips/clip-folder.ts";
import { openFliteVoiceHost, type VoiceHost } from "../../testing/flite-voice-host.ts";
import { SpeechLibrary } from "./speech-library.ts";
import { SpeechScheduler } from "./speech-scheduler.ts";
import { connectVoice, serveVoice } from "./voice-port.ts";

let root: string;
let folders = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "kokoro-"));
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

/** A voice over a real port, with real files, a real schedule and a fast voice instead of the network. */
function openVoice(name = `clips-${folders++}`) {
  const folder = new ClipFolder({
    folder: join(root, name),
    sampleRateHz: 8_000,
    bytesMax: 1e9,
    nowMs: () => Date.now(),
  });
  const hosts: VoiceHost[] = [];
  let mustBreak = false;
  const scheduler = new SpeechScheduler({
    openHost: async () => {
      const host = await openFliteVoiceHost();
      hosts.push(host);
      if (mustBreak) host.dieOnce();
      mustBreak = false;
      return host;
    },
    timers: systemClock,
    nowMs: () => performance.now(),
    onHostLost: () => undefined,
  });
  const keep = (key: string, samples: Int16Array) => folder.write(key, samples);
  const library = new SpeechLibrary({ schedulers: [scheduler], store: folder, keep });
  const { port1, port2 } = new MessageChannel();
  serveVoice(
    port1,
    folder.refresh().then(() => library),
  );
  const voice = connectVoice(port2);
  return {
    voice: {
      ...voice,
      async close() {
        await voice.close();
        await scheduler.close();
      },
    },
    breakEngineOnce: () => {
      const alive = hosts.find(({ hasEnded }) => !hasEnded);
      if (alive === undefined) mustBreak = true;
      else alive.dieOnce();
    },
    hostsAlive: () => hosts.filter(({ hasEnded }) => !hasEnded).length,
    begun: () => hosts.flatMap((host) => host.begun),
    files: () => readdir(join(root, name)).catch(() => []),
  };
}

describeSpeechSynthesizerConformance("the natural voice over a port", async () => {
  const { voice, breakEngineOnce, hostsAlive } = openVoice();
  return { synthesizer: voice, isDeterministic: true, breakEngineOnce, resourcesHeld: hostsAlive };
});

describe("a clause that was said or rendered before", { timeout: 60_000 }, () => {
  const closers: (() => Promise<void>)[] = [];
  const hello = { text: "Hello.", voiceId: "af_heart", sampleRateHz: 8_000 } as const;
  const never = new AbortController().signal;

  function open(name?: string) {
    const opened = openVoice(name);
    closers.push(() => opened.voice.close());
    return opened;
  }

  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  test("is not rendered again for the next call, and stays in memory: it may name the callee", async () => {
    const { voice, begun, files } = open();
    const first = await renderClip(voice, hello);
    expect(await renderClip(voice, hello)).toEqual(first);
    expect(begun()).toEqual(["Hello."]);
    expect(await files()).toEqual([]);
  });

  test("is rendered once for calls that request it at the same time", async () => {
    const { voice, begun } = open();
    const [one, other] = await Promise.all([renderClip(voice, hello), renderClip(voice, hello)]);
    expect(one).toEqual(other);
    expect(begun()).toEqual(["Hello."]);
  });

  test("continues for one call when the other is hung up", async () => {
    const { voice } = open();
    const hungUp = new AbortController();
    const leaving = renderClip(voice, { ...hello, signal: hungUp.signal }).catch((error: unknown) => error);
    const staying = renderClip(voice, hello);
    hungUp.abort("hung up");
    expect(await leaving).toBe("hung up");
    expect((await staying).length).toBeGreaterThan(2_000);
  });

  test("is available after a restart if it was rendered ahead, and sounds as it does live", async () => {
    const { voice } = open("shared");
    expect(await voice.renderAhead("Hello.", "af_heart", never)).toBe(true);
    const restarted = open("shared");
    const clip = await renderClip(restarted.voice, hello);
    expect(restarted.begun()).toEqual([]);
    expect(clip).toEqual(await renderClip(open().voice, hello));
  });

  test("is not rendered ahead twice", async () => {
    const { voice, begun } = open();
    await voice.renderAhead("Hello.", "af_heart", never);
    await voice.renderAhead("Hello.", "af_heart", never);
    await voice.renderAhead("Hello.", "am_adam", never);
    expect(begun()).toEqual(["Hello.", "Hello."]);
  });
});
