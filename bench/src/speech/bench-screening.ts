import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { throughG711 } from "@parley/audio/testing/through-g711";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { SileroModel } from "@parley/providers/local/vad/silero-model";
import { createCallScreening } from "@parley/voice/screening/create-call-screening";
import { GREETINGS, type Greeting } from "@parley/voice/screening/testing/greetings";
import { type RenderedGreeting, renderGreeting } from "@parley/voice/screening/testing/render-greeting";
import { countMistakes, describeMistakes, screenGreeting } from "@parley/voice/screening/testing/screen-greetings";
import type { TimedDecision } from "@parley/voice/screening/testing/screen-recording";
import type { JudgedWindow } from "@parley/voice/turns/hearing/speech-segmenter";
import { USUAL_TURN_SETTINGS } from "@parley/voice/turns/turn-settings";
import type { Goal } from "../goals.ts";
import { detectSpeech } from "./detect-speech.ts";
import { findUtterances, type Utterance } from "./find-utterances.ts";
import type { HumanClip } from "./human-clips.ts";
import { forEachAtOnce, type RecognizerUnderTest } from "./recognizer-under-test.ts";

const VOICES = ["slt", "rms", "awb", "kal16"];
/** Without `--full` each person who picks up has this many voices, and a machine one. */
const HUMAN_VOICES = 2;
const FALSE_MACHINE_GOAL_PERCENT = 2;
/** From the end of the words to their text. */
const RECOGNITION_MS = USUAL_TURN_SETTINGS.guessSilenceMs + 250;
/** No callee is waiting. */
const DEADLINE_MS = 600_000;
const BEFORE_MS = 400;
const TOTAL_MS = 31_000;
/** The greetings among the recorded prompts. */
const RECORDED: readonly (readonly [name: string, answeredBy: Greeting["answeredBy"]])[] = [
  ["hello", "human"],
  ["hello-world", "human"],
  ["vm-intro", "voicemail"],
  ["dir-intro", "ivr"],
  ["demo-instruct", "ivr"],
];

type Words = RenderedGreeting["words"][number];

/**
 * How often a person is mistaken for a machine, and a machine for a person, with the detection and recognition of
 * calls.
 */
export async function benchScreening(
  recognizer: RecognizerUnderTest,
  clips: readonly HumanClip[],
  isFull: boolean,
): Promise<readonly Goal[]> {
  const greetings = [...(await speakGreetings(isFull)), ...recordedGreetings(clips)];
  const silero = await SileroModel.open();
  const windows = await detectSpeech(
    silero,
    greetings.map(({ samples }) => samples),
  );
  await silero.close();
  const screened = await forEachAtOnce(greetings, async (rendered, index) => {
    const judged = windows[index] ?? [];
    const words: Words[] = [];
    for (const utterance of findUtterances(judged))
      words.push(await understand(recognizer, rendered.samples, utterance));
    return screenGreeting({ ...rendered, words }, listen(rendered.samples, judged, words));
  });
  const mistakes = countMistakes(screened);
  console.log(`\n${describeMistakes(`${recognizer.size}, answering machines`, mistakes)}`);
  const percent = (100 * mistakes.falseMachines.length) / mistakes.humans;
  return [{ name: "screening.false_machine", value: percent, max: FALSE_MACHINE_GOAL_PERCENT, unit: " %" }];
}

async function speakGreetings(isFull: boolean): Promise<readonly RenderedGreeting[]> {
  const synthesizer = createFliteSynthesizer({ deadlineMs: DEADLINE_MS });
  const rendered: RenderedGreeting[] = [];
  for (const [index, greeting] of GREETINGS.entries()) {
    const count = isFull ? VOICES.length : greeting.answeredBy === "human" ? HUMAN_VOICES : 1;
    for (let voice = 0; voice < count; voice++) {
      rendered.push(await renderGreeting(synthesizer, greeting, VOICES[(index + voice) % VOICES.length] ?? ""));
    }
  }
  await synthesizer.close();
  return rendered;
}

function recordedGreetings(clips: readonly HumanClip[]): readonly RenderedGreeting[] {
  return RECORDED.flatMap(([name, answeredBy]) => {
    const clip = clips.find((each) => each.name === name);
    if (clip === undefined) return [];
    const samples = new Int16Array(samplesIn(TOTAL_MS));
    samples.set(clip.samples.subarray(0, samplesIn(TOTAL_MS - BEFORE_MS)), samplesIn(BEFORE_MS));
    const greeting: Greeting = { id: `recorded ${name}`, answeredBy, parts: [clip.text], beep: null };
    return [{ greeting, voiceId: "a human voice", samples: throughG711(samples), words: [] }];
  });
}

async function understand(
  recognizer: RecognizerUnderTest,
  samples: Int16Array,
  { startMs, endMs }: Utterance,
): Promise<Words> {
  const from = Math.max(0, startMs - USUAL_TURN_SETTINGS.utteranceLeadMs);
  const { text } = await recognizer.recognize(
    samples.slice(samplesIn(from), samplesIn(endMs + USUAL_TURN_SETTINGS.guessSilenceMs)),
  );
  return { text, startMs, endMs, knownMs: endMs + RECOGNITION_MS };
}

/** Plays a call to screening, window by window, with words as they become known. */
function listen(
  samples: Int16Array,
  windows: readonly JudgedWindow[],
  words: readonly Words[],
): readonly TimedDecision[] {
  const ring = createRing();
  const writer = new RingWriter(ring);
  const decisions: TimedDecision[] = [];
  let nowMs = 0;
  const watch = createCallScreening().watch(ring, (decision) => decisions.push({ ...decision, knownMs: nowMs }));
  const coming = words.toSorted((one, other) => one.knownMs - other.knownMs);
  for (const { endMs, durationMs, probability } of windows) {
    nowMs = endMs;
    writer.write(samples.subarray(writer.position, samplesIn(endMs)));
    const isSpeech = probability >= USUAL_TURN_SETTINGS.speechStartProbability;
    watch.hearWindow({ endMs, durationMs, isSpeech });
    for (let next = coming[0]; next !== undefined && next.knownMs <= nowMs; next = coming[0]) {
      watch.hearWords({ text: next.text, startMs: next.startMs, endMs: next.endMs });
      coming.shift();
    }
  }
  watch.stop();
  return decisions;
}
