import { openScene, type Scene } from "./conversation-scene.ts";

const LONG = "The doctor has changed the plans for next week.";

/** Lives of calls, the unhappy ones too: every tenth of each kind. */
export const LIVES: readonly ((scene: Scene) => Promise<void>)[] = [
  talkTwice,
  interrupt,
  undo,
  async (scene) => {
    await scene.prepare();
    scene.line.end();
  },
  async (scene) => {
    await scene.prepare();
    scene.line.answer();
    await scene.advance(400);
    scene.line.end();
  },
  async (scene) => {
    const conversation = await scene.greet();
    conversation.endPolitely();
    await scene.advance(2_000);
  },
  async (scene) => {
    await scene.greet();
    scene.recognizer.holdBack();
    await scene.advance(scene.say("nobody answers me."));
    await scene.advance(1_500);
    scene.line.end();
  },
  async (scene) => {
    await scene.greet();
    scene.synthesizer.holdBack();
    await scene.advance(scene.say("nobody speaks to me."));
    await scene.advance(1_500);
    scene.line.end();
  },
  async (scene) => {
    await scene.greet();
    scene.synthesizer.failNext();
    scene.recognizer.failNext();
    await scene.advance(scene.say("everything fails."));
    await scene.advance(2_000);
    scene.line.end();
  },
  async (scene) => {
    await scene.recognizer.close();
    await scene.prepare().catch(() => undefined);
  },
];

async function talkTwice(scene: Scene): Promise<void> {
  await scene.greet();
  await scene.advance(scene.say("yes."));
  await scene.untilAgentSpoke(2);
  await scene.advance(scene.say("no."));
  await scene.untilAgentSpoke(3);
  scene.line.end();
}

async function interrupt(scene: Scene): Promise<void> {
  await scene.greet();
  await scene.advance(scene.say("tell me more."));
  await scene.advance(1_800);
  await scene.advance(scene.say("stop stop stop"));
  await scene.advance(1_500);
  scene.line.end();
}

async function undo(scene: Scene): Promise<void> {
  await scene.greet();
  await scene.advance(scene.say("on Tuesday."));
  await scene.advance(600);
  await scene.advance(scene.say("or Thursday."));
  await scene.advance(1_500);
  scene.line.end();
}

/** One such call from beginning to end, and what is left of it. */
export async function holdLife(index: number): Promise<{ leftovers: Record<string, number>; events: number }> {
  const scene = openScene({ brain: { reply: () => [LONG], likelyClauses: [LONG, "Something else."] } });
  await LIVES[index % LIVES.length]?.(scene);
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
  const events = scene.recordings.reduce((sum, { events: each }) => sum + each.length, 0);
  return { leftovers: scene.leftovers(), events };
}
