import { afterAll, beforeAll } from "vitest";
import { describeCarrierConformance } from "../conformance/carrier-conformance.ts";
import { describeSoundConformance } from "../conformance/sound-conformance.ts";
import { MediaThread } from "../rtp/media/media-thread.ts";
import { openSipRig } from "./testing/open-sip-rig.ts";

let thread: MediaThread;

beforeAll(() => {
  thread = new MediaThread();
});

afterAll(() => thread.stop());

describeCarrierConformance("the SIP carrier", () => openSipRig(thread));
describeSoundConformance("the SIP carrier", () => openSipRig(thread));
