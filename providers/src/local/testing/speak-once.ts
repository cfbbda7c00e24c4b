import { renderClip } from "../clip-cache.ts";
import { createFliteSynthesizer } from "../flite/flite-synthesizer.ts";

/** A program that speaks, prints the number of samples, and must print nothing else. */
const synthesizer = createFliteSynthesizer();
const clip = await renderClip(synthesizer, { text: "Hello there.", voiceId: "slt", sampleRateHz: 8_000 });
await synthesizer.close();
console.log(clip.length);
