import { describeAudioConformance } from "../conformance/audio-conformance.ts";
import { describeCarrierConformance } from "../conformance/carrier-conformance.ts";
import { openTwilioRig } from "./testing/open-twilio-rig.ts";

describeCarrierConformance("the Twilio carrier", () => openTwilioRig());
describeAudioConformance("the Twilio carrier", () => openTwilioRig({ audio: true }));
