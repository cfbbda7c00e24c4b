/** What starts threads or processes, or measures what its own process holds: each file gets a process of its own. */
export const ISOLATED: readonly string[] = [
  "audio/src/{playout-threads,ring}.test.ts",
  "providers/src/local/flite/flite-synthesizer.test.ts",
  "providers/src/local/intents/ranker-thread.test.ts",
  "providers/src/local/judge/judge-thread.test.ts",
  "providers/src/local/kokoro/speaking/voice-process.test.ts",
  "providers/src/local/stt/{recognize-utterance,recognizer-conformance,recognizer-thread}.test.ts",
  "providers/src/local/vad/*.test.ts",
  "threads/src/{hosts,service-thread}.test.ts",
  "telephony/src/rtp/media/media-thread.test.ts",
  "telephony/src/sip-carrier/{many-calls,real-lines,sip-carrier}.test.ts",
  "telephony/src/simulated-network/{network-process,remote-simulated-network}.test.ts",
  "voice/src/engine/own-overhead.test.ts",
  "server/src/accounts/**/password-{hash,judge}.test.ts",
  "server/src/agents/**/{confusable-exits,paraphrases}.test.ts",
  "server/src/calls/**/{recorder,worker-presence}.test.ts",
  "server/src/phone/carriers/callee-voice.test.ts",
  "server/src/phone/doctor/{examine-trunk,faults}.test.ts",
  "server/src/platform/database/embedded/{start-embedded-postgres,supervise-postmaster}.test.ts",
  "server/src/speech/conversations/{conversation-pool,local-speech,other-words}.test.ts",
];

/** Tests that send and hear audio in real time and wait most of that time: two of them leave each other enough of two cores. */
export const REAL_TIME: readonly string[] = [
  "e2e/sip/{baresip-calls,baresip-wideband}.test.ts",
  "e2e/voice/speech-to-speech.test.ts",
  "telephony/src/{telnyx/telnyx,twilio/twilio}-carrier.test.ts",
  "telephony/src/simulated-network/remote-audio.test.ts",
];

/** Tests that hold many calls in real time, flood a call or play vendors of speech, and fail when a core is not free for them. */
export const ALONE: readonly string[] = [
  "e2e/sip/live-fuzz.test.ts",
  "e2e/soak/soak.test.ts",
  "e2e/voice/{cloud-engines,conversations,scenarios}.test.ts",
];
