import { durationMsOf, samplesIn, saturate } from "@parley/audio/frame";
import { createRandom } from "@parley/audio/testing/random";
import { throughG711 } from "@parley/audio/testing/through-g711";
import type { FlowNode } from "@parley/contract/flow";
import type { FliteVoiceId } from "@parley/providers/local/flite/flite-voices";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { SileroModel } from "@parley/providers/local/vad/silero-model";
import { hear, openRig } from "@parley/voice/conversation/testing/flow-rig";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { USUAL_TURN_SETTINGS as SETTINGS } from "@parley/voice/turns/turn-settings";
import type { Goal } from "../goals.ts";
import { detectSpeech } from "./detect-speech.ts";
import { findUtterances } from "./find-utterances.ts";
import type { HumanClip } from "./human-clips.ts";
import { openIdleRecognizer } from "./idle-recognizer.ts";
import { roomNoise, voiceRms } from "./line-conditions.ts";
import { NATURAL_CALLEES, openSpeakers, ROBOTIC_CALLEES } from "./speakers.ts";

const WORDS = new Map<string, number | boolean>([
  ["yes", true],
  ["no", false],
  ["okay", true],
  ["one", 1],
  ["two", 2],
  ["three", 3],
  ["four", 4],
  ["five", 5],
  ["nine", 9],
]);
/** Some speak faster and some slower. */
const SPEEDS = [0.85, 1, 1.2];
const SNRS_DB = [null, 20, 15, 10];
const VOICE_RMS = 32_768 * 10 ** (-26 / 20);
/** Silence, or only noise, before and after the word. */
const AROUND_SAMPLES = samplesIn(1_000);
/** Recognition begins this long after the word has ended. */
const TAIL_MS = SETTINGS.guessSilenceMs;

interface SpokenWord {
  readonly speaker: string;
  readonly word: string;
  readonly samples: Int16Array;
}

/** `asked` is an answer that is read back, as it should be when it was not clear. */
type Outcome = "unnoticed" | "right" | "asked" | "asked wrongly" | "not understood" | "wrong";

/**
 * How often the short words of people who answer a question are noticed, and understood where such a word is expected,
 * by synthetic voices and a human one, over a line that is clean or has the noise of a room.
 */
export async function benchShortWords(clips: readonly HumanClip[]): Promise<readonly Goal[]> {
  const spoken = [...(await renderWords()), ...humanWords(clips)];
  const vad = await SileroModel.open();
  const recognizer = await openIdleRecognizer("auto");
  const all: Outcome[] = [];
  console.log(`\n${spoken.length} short words by ${new Set(spoken.map(({ speaker }) => speaker)).size} voices:`);
  for (const snrDb of SNRS_DB) {
    const recordings = spoken.map(({ samples }, index) => overLine(samples, snrDb, index + 1));
    const windows = await detectSpeech(vad, recordings);
    const outcomes: Outcome[] = [];
    for (const [index, { word, speaker, samples }] of spoken.entries()) {
      const endMs = durationMsOf(AROUND_SAMPLES + samples.length);
      const utterance = findUtterances(windows[index] ?? []).find(
        (each) => each.endMs > durationMsOf(AROUND_SAMPLES) && each.startMs < endMs,
      );
      if (utterance === undefined) {
        outcomes.push("unnoticed");
        continue;
      }
      const from = samplesIn(Math.max(0, utterance.startMs - SETTINGS.utteranceLeadMs));
      const heard = recordings[index]?.slice(from, samplesIn(utterance.endMs + TAIL_MS)) ?? new Int16Array(0);
      const question = openQuestion(word);
      const recognition = await recognizer.recognize({
        samples: heard,
        expected: question.brain.expectation.answers,
        isSpeechCertain: true,
      });
      const outcome = recognition === null ? "not understood" : await outcomeOf(question, recognition, word);
      outcomes.push(outcome);
      if (outcome !== "right" && process.argv.includes("--show")) {
        console.log(`    ${speaker} "${word}": ${outcome}, ${recognition?.text} ${JSON.stringify(recognition?.best)}`);
      }
    }
    all.push(...outcomes);
    console.log(`  ${snrDb === null ? "clean" : `${snrDb} dB`}: ${describe(outcomes)}`);
  }
  await Promise.all([vad.close(), recognizer.close()]);
  console.log(`  in all: ${describe(all)}`);
  const share = (...some: Outcome[]) => (100 * all.filter((each) => some.includes(each)).length) / all.length;
  return [
    { name: "short_words.noticed", value: 100 - share("unnoticed"), min: 97, unit: " %" },
    { name: "short_words.right_or_read_back", value: share("right", "asked"), min: 95, unit: " %" },
    { name: "short_words.wrong", value: share("wrong"), max: 1, unit: " %" },
  ];
}

async function renderWords(): Promise<readonly SpokenWord[]> {
  const speakers = await openSpeakers();
  const voices: readonly (KokoroVoiceId | FliteVoiceId)[] = [...NATURAL_CALLEES, ...ROBOTIC_CALLEES];
  const spoken: SpokenWord[] = [];
  for (const [index, speaker] of voices.entries()) {
    for (const word of WORDS.keys()) {
      const text = `${word.charAt(0).toUpperCase()}${word.slice(1)}.`;
      spoken.push({ speaker, word, samples: await speakers.speak(text, speaker, SPEEDS[index % SPEEDS.length]) });
    }
  }
  await speakers.close();
  return spoken;
}

function humanWords(clips: readonly HumanClip[]): readonly SpokenWord[] {
  return clips.flatMap(({ text, samples }) =>
    WORDS.has(text.toLowerCase()) ? [{ speaker: "human", word: text.toLowerCase(), samples }] : [],
  );
}

function overLine(samples: Int16Array, snrDb: number | null, seed: number): Int16Array {
  const noise = roomNoise(createRandom(seed));
  const gain = VOICE_RMS / Math.max(1, voiceRms(samples));
  const level = snrDb === null ? 0 : VOICE_RMS / 10 ** (snrDb / 20);
  return throughG711(
    Int16Array.from({ length: samples.length + 2 * AROUND_SAMPLES }, (_, index) =>
      saturate(gain * (samples[index - AROUND_SAMPLES] ?? 0) + level * noise()),
    ),
  );
}

/** The question that the word answers, just asked. */
function openQuestion(word: string) {
  const value = WORDS.get(word);
  const end: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
  const question: FlowNode = {
    id: "question",
    type: "ask",
    text: typeof value === "number" ? "How many, from one to ten?" : "Is that all right?",
    answer: typeof value === "number" ? "number" : "yes_no",
    ...(typeof value === "number" ? { range: { min: 1, max: 10 } } : {}),
    saveAs: "answer",
    exits: [],
    next: "bye",
    otherwise: "bye",
  };
  return openRig([question, end], { openAt: { nodeId: "question" } });
}

async function outcomeOf(
  { brain }: ReturnType<typeof openQuestion>,
  { text, best }: Recognition,
  word: string,
): Promise<Outcome> {
  const { parts } = await hear(brain, 2, { type: "said", text, best });
  const value = WORDS.get(word);
  const collected = parts.find((part) => part.type === "collected");
  if (collected?.type === "collected") return collected.value === value ? "right" : "wrong";
  const decided = parts.find((part) => part.type === "decided");
  if (decided?.type !== "decided" || decided.decision.taken !== "ask_back") return "not understood";
  return decided.decision.result === value ? "asked" : "asked wrongly";
}

function describe(outcomes: readonly Outcome[]): string {
  const names: readonly Outcome[] = ["right", "asked", "asked wrongly", "not understood", "unnoticed", "wrong"];
  const percent = (count: number) => ((100 * count) / Math.max(1, outcomes.length)).toFixed(1);
  return names
    .map((name) => {
      const count = outcomes.filter((each) => each === name).length;
      return `${count} ${name === "asked" ? "read back rightly" : name} (${percent(count)} %)`;
    })
    .join(", ");
}
