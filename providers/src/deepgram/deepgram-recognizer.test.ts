import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { afterAll } from "vitest";
import { createDeepgramFluxRecognizer } from "./deepgram-flux-recognizer.ts";
import { createDeepgramNovaRecognizer } from "./deepgram-nova-recognizer.ts";
import { openDeepgramRig } from "./testing/deepgram-rig.ts";
import type { DeepgramServer, DeepgramServerOptions } from "./testing/deepgram-server.ts";

const servers: DeepgramServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

const KINDS: readonly [string, typeof createDeepgramFluxRecognizer, Partial<DeepgramServerOptions>][] = [
  ["Deepgram Nova", createDeepgramNovaRecognizer, {}],
  ["Deepgram Nova that settles its text in pieces", createDeepgramNovaRecognizer, { finalEveryMs: 500 }],
  ["Deepgram Flux", createDeepgramFluxRecognizer, {}],
];

for (const [name, create, options] of KINDS) {
  describeSpeechRecognizerConformance(
    name,
    async () => {
      const { server, speech, access } = await openDeepgramRig(options);
      servers.push(server);
      const recognizer = create(access);
      return {
        recognizer: {
          ...recognizer,
          async close() {
            await recognizer.close();
            // The far end notices a little later; a connection that is leaked is never closed.
            await server.idle();
          },
        },
        speak: async (text) => speech.speak(text),
        breakEngineOnce: () => server.breakAtNextRequest({ type: "cut" }),
        resourcesHeld: () => server.openConnections,
      };
    },
    { followsWholeCall: true },
  );
}
