import { openScene, type Scene, type SceneOptions } from "./outbound-scene.ts";

/** Opens a scene for one test and checks that nothing is left open, here or at the far end. */
export async function withScene(options: SceneOptions, use: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await openScene(options);
  try {
    await use(scene);
    scene.outbound.close();
    await scene.allClosed();
  } finally {
    await scene.close();
  }
}
