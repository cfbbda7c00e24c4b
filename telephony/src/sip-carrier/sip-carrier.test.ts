import { afterAll, beforeAll } from "vitest";
import { describeAudioConformance } from "../conformance/audio-conformance.ts";
import { describeCarrierConformance } from "../conformance/carrier-conformance.ts";
import { MediaThread } from "../rtp/media/media-thread.ts";
import { openSipRig } from "./testing/open-sip-rig.ts";

let thread: MediaThread;

beforeAll(() => {
  thread = new MediaThread();
});

afterAll(() => thread.stop());

describeCarrierConformance("the SIP carrier", () => openSipRig(thread));
describeAudioConformance("the SIP carrier", () => openSipRig(thread));
