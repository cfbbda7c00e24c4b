import { describeAudioConformance } from "../conformance/audio-conformance.ts";
import { describeCarrierConformance } from "../conformance/carrier-conformance.ts";
import { openTelnyxRig } from "./testing/open-telnyx-rig.ts";

describeCarrierConformance("the Telnyx carrier", () => openTelnyxRig());
describeAudioConformance("the Telnyx carrier", () => openTelnyxRig({ audio: true }));
