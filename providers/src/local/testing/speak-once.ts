import { renderClip } from "../clip-cache.ts";
import { createFliteSynthesizer } from "../flite/flite-synthesizer.ts";

/** A program of its own that speaks, prints how many samples that were, and must print nothing else. */
const synthesizer = createFliteSynthesizer();
const clip = await renderClip(synthesizer, { text: "Hello there.", voiceId: "slt", sampleRateHz: 8_000 });
await synthesizer.close();
console.log(clip.length);
