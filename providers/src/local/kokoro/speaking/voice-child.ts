import { followOwner, serveProcess } from "@parley/threads/serve";
import { loadFliteModule } from "../../flite/flite-module.ts";
import { DEFAULT_KOKORO_VOICE } from "../kokoro-voices.ts";
import { LiveVoice } from "../live/live-voice.ts";
import { LetterModel } from "../phonemes/letter-model.ts";
import { createGuessWord } from "../phonemes/pronounce-word.ts";
import { ClauseSpeech } from "./clause-speech.ts";
import type { VoiceStep, VoiceWork } from "./voice-process.ts";

/** A process of its own, because a network that fails may take its process with it, and may be killed without loss. */

followOwner();
const guess = createGuessWord(await loadFliteModule(), await LetterModel.open());
const voice = await LiveVoice.open();
const speeches = new Map<number, ClauseSpeech>();

// The first run of a network takes longer than those that follow.
const warmUp = await ClauseSpeech.begin(voice, guess, { text: "Hello, how are you?", voiceId: DEFAULT_KOKORO_VOICE });
await warmUp?.next();

const NOTHING = { samples: new Int16Array(0), isOver: true, wordTimes: null };

serveProcess(async (work: VoiceWork): Promise<VoiceStep> => {
  if (work.type === "begin") {
    const speech = await ClauseSpeech.begin(voice, guess, work.clause);
    if (speech === null) return NOTHING;
    speeches.set(work.speechId, speech);
    return { ...NOTHING, isOver: false };
  }
  const speech = speeches.get(work.speechId);
  if (speech === undefined || work.type === "drop") {
    speeches.delete(work.speechId);
    return NOTHING;
  }
  const step = await speech.next();
  if (step.isOver) speeches.delete(work.speechId);
  return step;
});
