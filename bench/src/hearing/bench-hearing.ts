import { throughG711 } from "@parley/audio/testing/through-g711";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { SileroModel } from "@parley/providers/local/vad/silero-model";
import { openRig } from "@parley/voice/conversation/testing/flow-rig";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { openIdleRecognizer } from "../speech/idle-recognizer.ts";
import { voiceRms, withJitter, withLoss } from "../speech/line-conditions.ts";
import { NATURAL_CALLEES, openSpeakers, ROBOTIC_CALLEES, UNSEEN_CALLEES } from "../speech/speakers.ts";
import { DIALOGUES, type Dialogue } from "./dialogues.ts";
import { type Ears, type HeardCall, holdCall } from "./hearing-scene.ts";
import { babbleOf, brownNoise, car, music, type Noise, pinkNoise, wind } from "./noises.ts";

/** They talk in the background and never to the agent. */
const STRANGERS: readonly KokoroVoiceId[] = ["af_sarah", "am_adam", "bf_alice", "am_onyx", "af_nova"];
const UNSEEN_STRANGERS: readonly KokoroVoiceId[] = ["af_alloy", "am_santa", "af_nicole"];
const STRANGE_TALK = [
  "And then they went down to the river, because the weather was so much better than the week before.",
  "The minister said that there would be no change before the end of the year, whatever others may believe.",
  "Can somebody bring the other boxes up here before we start with the next room, please?",
  "Well, I told her that it is two streets further, just behind the church with the green door.",
  "Tonight in the kitchen we have something very special, a soup that my grandmother used to make.",
];

const VOICE_DBFS_RMS = 32_768 * 10 ** (-26 / 20);
const BACKGROUND_SECONDS = 40;
const SNRS_DB = [20, 15, 10];
const LOSSES = [0.03, 0.08];
const JITTER_MS = 60;
/** Noise of other seeds for `--unseen`. */
const SEEDS = { usual: 1_000, unseen: 5_000 } as const;
const LONG_SILENCE_MS = 4_000;
/** Of what callees say. They speak whole sentences without a pause, so an agent that begins meanwhile has misheard. */
const CUT_IN_PERCENT_MAX = 2;

interface Condition {
  readonly name: string;
  /** How far the noise is below the voice, which decides the goal; on quiet lines more than any of it. */
  readonly snrDb: number;
  readonly background: Float32Array | null;
  carry(clip: Int16Array, seed: number): Int16Array;
}

interface Figures {
  calls: number;
  right: number;
  wrong: number;
  silences: number;
  longestSilenceMs: number;
  cutIns: number;
  /** How often callees said something. */
  said: number;
}

/** With other voices and noises than those that everything was tried with. */
const isUnseen = process.argv.includes("--unseen");

/**
 * Whole conversations with callees in noise: whether they reach the right end, a wrong one, or none; how often there is
 * a long silence after the callee spoke; and how often the agent begins while the callee speaks.
 */
export async function benchHearing(): Promise<Goal[]> {
  const only = wordAfter("--only");
  const speakers = await renderSpeakers();
  const model = wordAfter("--model") ?? "auto";
  if (!isModel(model)) throw new Error("--model is auto, tiny or base");
  const ears: Ears = { vad: await SileroModel.open(), recognizer: await openIdleRecognizer(model) };
  const all = conditionsWith(speakers.strangers);
  const conditions = isQuick ? all.slice(0, 1) : all.filter(({ name }) => only === undefined || name.includes(only));
  if (conditions.length === 0) throw new Error(`--only names none of ${all.map(({ name }) => name).join(", ")}`);
  const results = new Map<Condition, Figures>();
  console.log(["condition".padEnd(16), "calls", "right", "wrong", "silences > 4 s", "longest", "cut in"].join("\t"));
  for (const condition of conditions) {
    const figures = { calls: 0, right: 0, wrong: 0, silences: 0, longestSilenceMs: 0, cutIns: 0, said: 0 };
    for (const [index, voice] of speakers.callees.entries()) {
      const dialogue = DIALOGUES[index % DIALOGUES.length] as Dialogue;
      count(figures, dialogue, await converse(ears, dialogue, voice, condition, index));
    }
    results.set(condition, figures);
    const { calls, right, wrong, silences, longestSilenceMs, cutIns } = figures;
    const seconds = `${(longestSilenceMs / 1_000).toFixed(1)} s`;
    console.log([condition.name.padEnd(16), calls, right, wrong, silences, seconds, cutIns].join("\t"));
  }
  await ears.vad.close();
  await ears.recognizer.close();
  return goalsOf(results);
}

function wordAfter(option: string): string | undefined {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
}

function isModel(name: string): name is "auto" | "tiny" | "base" {
  return ["auto", "tiny", "base"].includes(name);
}

/** What each callee says, by its text. */
type Voice = ReadonlyMap<string, Int16Array>;

async function renderSpeakers(): Promise<{
  readonly callees: readonly Voice[];
  readonly strangers: readonly Int16Array[];
}> {
  const { speak, close } = await openSpeakers();
  const texts = [...new Set(DIALOGUES.flatMap(({ answers }) => answers.map(([, answer]) => answer)))];
  const callees: Voice[] = [];
  const voices = isUnseen ? UNSEEN_CALLEES : [...NATURAL_CALLEES, ...ROBOTIC_CALLEES];
  const others = isUnseen ? UNSEEN_STRANGERS : STRANGERS;
  for (const voiceId of isQuick ? voices.slice(0, 1) : voices) {
    const clips = new Map<string, Int16Array>();
    for (const text of texts) clips.set(text, await speak(text, voiceId));
    callees.push(clips);
  }
  const strangers: Int16Array[] = [];
  for (const [index, text] of STRANGE_TALK.entries()) {
    for (const voiceId of isQuick ? [] : [others[index % others.length], others[(index + 2) % others.length]]) {
      if (voiceId !== undefined) strangers.push(await speak(text, voiceId));
    }
  }
  await close();
  return { callees, strangers };
}

function conditionsWith(strangers: readonly Int16Array[]): readonly Condition[] {
  const carry = (clip: Int16Array) => throughG711(atLevel(clip, VOICE_DBFS_RMS));
  const noises: readonly (readonly [string, Noise])[] = [
    ["pink", pinkNoise],
    ["brown", brownNoise],
    ["wind", wind],
    ["car", car],
    ["music", music],
    ...(strangers.length === 0
      ? []
      : ([
          ["babble", babbleOf(strangers, 5)],
          ["television", babbleOf(strangers, 1)],
        ] as const)),
  ];
  return [
    { name: "clean", snrDb: 60, background: null, carry },
    {
      name: "20 dB quieter",
      snrDb: 60,
      background: null,
      carry: (clip) => throughG711(atLevel(clip, VOICE_DBFS_RMS / 10)),
    },
    ...LOSSES.map(
      (share): Condition => ({
        name: `${100 * share} % lost`,
        snrDb: 60,
        background: null,
        carry: (clip, seed) => withLoss(carry(clip), seed, share),
      }),
    ),
    {
      name: `${JITTER_MS} ms jitter`,
      snrDb: 60,
      background: null,
      carry: (clip, seed) => withJitter(carry(clip), seed, JITTER_MS),
    },
    ...SNRS_DB.flatMap((snrDb) =>
      noises.map(([name, noise], index): Condition => {
        const level = VOICE_DBFS_RMS / 10 ** (snrDb / 20);
        const background = noise(BACKGROUND_SECONDS, (isUnseen ? SEEDS.unseen : SEEDS.usual) + index).map(
          (sample) => sample * level,
        );
        return { name: `${name} ${snrDb} dB`, snrDb, background, carry };
      }),
    ),
  ];
}

function atLevel(clip: Int16Array, rms: number): Int16Array {
  const gain = rms / Math.max(1, voiceRms(clip));
  return clip.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}

async function converse(
  ears: Ears,
  dialogue: Dialogue,
  voice: Voice,
  condition: Condition,
  seed: number,
): Promise<HeardCall> {
  let said = 0;
  return holdCall(
    ears,
    () => openRig(dialogue.nodes).brain,
    (agentSaid) => {
      const [, answer = ""] = dialogue.answers.find(([words]) => words.test(agentSaid)) ?? [];
      const clip = voice.get(answer);
      said += 1;
      return clip === undefined || /goodbye/i.test(agentSaid) ? null : condition.carry(clip, 100 * seed + said);
    },
    condition.background,
  );
}

function count(
  figures: Figures,
  { collected }: Dialogue,
  { journal, agentSpoke, calleeSpoke, endedMs }: HeardCall,
): void {
  const values = new Map(
    journal.flatMap((entry) => (entry.type === "collected" ? [[entry.name, entry.value] as const] : [])),
  );
  const isWrong = [...values].some(([name, value]) => collected[name] !== value);
  const isRight = !isWrong && Object.keys(collected).every((name) => values.has(name));
  const silences = calleeSpoke.map(({ endMs }, index) => {
    const next = agentSpoke.find(({ startMs }) => startMs > endMs - 200);
    const untilMs = Math.min(next?.startMs ?? endedMs, calleeSpoke[index + 1]?.startMs ?? endedMs, endedMs);
    return untilMs - endMs;
  });
  figures.calls += 1;
  figures.right += isRight ? 1 : 0;
  figures.wrong += isWrong ? 1 : 0;
  figures.silences += silences.filter((ms) => ms > LONG_SILENCE_MS).length;
  figures.longestSilenceMs = Math.max(figures.longestSilenceMs, ...silences);
  figures.said += calleeSpoke.length;
  figures.cutIns += calleeSpoke.filter(({ startMs, endMs }) =>
    agentSpoke.some((agent) => agent.startMs > startMs && agent.startMs < endMs - 100),
  ).length;
  const isGood = isRight && silences.every((ms) => ms <= LONG_SILENCE_MS);
  if (process.argv.includes("--show") && !isGood) show(journal, collected);
}

function show(journal: HeardCall["journal"], collected: Dialogue["collected"]): void {
  console.log("   expected", JSON.stringify(collected));
  for (const entry of journal) {
    if (entry.type === "agent_said") console.log(`   agent  ${entry.startMs}-${entry.endMs} ${entry.heardText}`);
    if (entry.type === "callee_said") console.log(`   callee ${entry.startMs}-${entry.endMs} ${entry.text}`);
    if (entry.type === "note") console.log(`   note   ${entry.atMs} ${entry.text}`);
    if (entry.type === "collected") console.log(`   ${entry.name} = ${entry.value}`);
  }
}

function goalsOf(results: ReadonlyMap<Condition, Figures>): Goal[] {
  const share = (isMeant: (snrDb: number) => boolean) => {
    const meant = [...results].flatMap(([{ snrDb }, figures]) => (isMeant(snrDb) ? [figures] : []));
    const calls = meant.reduce((sum, each) => sum + each.calls, 0);
    return (100 * meant.reduce((sum, each) => sum + each.right, 0)) / Math.max(1, calls);
  };
  const all = [...results.values()];
  const sum = (of: (figures: Figures) => number) => all.reduce((total, each) => total + of(each), 0);
  return [
    { name: "right_to_15_db", value: share((snrDb) => snrDb >= 15), min: 95, unit: " %" },
    { name: "right_at_10_db", value: share((snrDb) => snrDb === 10), min: 85, unit: " %" },
    { name: "wrong", value: sum(({ wrong }) => wrong), max: 0 },
    { name: "silences_over_4_s", value: sum(({ silences }) => silences), max: 0 },
    {
      name: "cut_in",
      value:
        (100 * sum(({ cutIns }) => cutIns)) /
        Math.max(
          1,
          sum(({ said }) => said),
        ),
      max: CUT_IN_PERCENT_MAX,
      unit: " %",
    },
  ];
}
