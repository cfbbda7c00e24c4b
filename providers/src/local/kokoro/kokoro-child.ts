import { followOwner, serveProcess } from "@parley/threads/serve";
import { loadFliteModule } from "../flite/flite-module.ts";
import { KokoroModel } from "./kokoro-model.ts";
import type { KokoroClip, KokoroWork } from "./kokoro-process.ts";
import { createGuessWord } from "./phonemes/pronounce-word.ts";
import { renderClause } from "./render-clause.ts";

/** A process of its own: it takes the processor only when nobody else wants it, and may be killed without loss. */
followOwner();
const guess = createGuessWord(await loadFliteModule());
const model = await KokoroModel.open();

serveProcess(async (work: KokoroWork): Promise<KokoroClip> => {
  const before = process.cpuUsage();
  const samples = await renderClause(model, guess, work);
  const { user, system } = process.cpuUsage(before);
  return { samples, cpuMs: (user + system) / 1000 };
});
