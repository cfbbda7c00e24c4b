import { createRing, RingWriter } from "@parley/audio/ring";
import { expect, it } from "vitest";
import type { RecognitionStream } from "../ports/speech-recognizer.ts";
import { CalleeListener } from "./callee-listener.ts";

/** A listener from the answer on, with a stream that counts what it hears. */
function openListener(followsWholeCall: boolean) {
  const ring = createRing();
  const writer = new RingWriter(ring);
  const listener = new CalleeListener(ring, () => undefined);
  const stream = {
    followsWholeCall,
    heardSamples: 0,
    hear(samples: Int16Array) {
      stream.heardSamples += samples.length;
    },
    recognize: () => Promise.reject(new Error("not requested")),
    startUtterance: () => undefined,
    close: () => undefined,
  } satisfies RecognitionStream & { heardSamples: number };
  listener.start(0);
  listener.use(stream);
  return { listener, stream, writer };
}

it("gives audio to a stream that follows the whole call before speech detection has processed it", () => {
  const { listener, stream, writer } = openListener(true);
  writer.write(new Int16Array(160));
  listener.listen();
  expect(stream.heardSamples).toBe(160);
  listener.follow(100);
  writer.write(new Int16Array(160));
  listener.listen();
  expect(stream.heardSamples).toBe(320);
});

it("gives other streams only utterances, as far as speech detection has processed them", () => {
  const { listener, stream, writer } = openListener(false);
  writer.write(new Int16Array(320));
  listener.listen();
  listener.follow(160);
  expect(stream.heardSamples).toBe(0);
  listener.open(0);
  expect(stream.heardSamples).toBe(160);
  listener.listen();
  expect(stream.heardSamples).toBe(160);
});

it("lets a stream that starts to follow the whole call in the middle of it begin with what arrives next", () => {
  const { listener, stream, writer } = openListener(false);
  listener.open(0);
  writer.write(new Int16Array(160));
  listener.follow(160);
  listener.closeUtterance();
  stream.followsWholeCall = true;
  writer.write(new Int16Array(800));
  listener.listen();
  writer.write(new Int16Array(80));
  listener.listen();
  expect(stream.heardSamples).toBe(240);
});
