import { constants } from "node:os";
import { openRecognizerProcess } from "@parley/providers/local/stt/recognizer-process";
import { systemClock } from "@parley/time/clock";
import { hasLiveCalls } from "../calls/transcripts/second-pass/second-pass-store.ts";
import {
  createSpareMachine,
  type SecondPass,
  type StrongerModel,
  startSecondPass,
} from "../calls/transcripts/second-pass/start-second-pass.ts";
import { openStores } from "./recordings.ts";
import type { ServiceContext } from "./service-context.ts";

/** Joins the parts of the second pass over ended calls; null where the settings disable it. */
export function joinSecondPass(context: ServiceContext): SecondPass | null {
  const { db, log, settings } = context;
  const { secondPass: model } = settings.conversations;
  if (model === null) return null;
  const { stores, close } = openStores(context);
  const pass = startSecondPass({
    db,
    sources: stores,
    model,
    clock: systemClock,
    log,
    openModel: () => openModel(model),
    hasSpareTime: createSpareMachine(() => hasLiveCalls(db)),
  });
  return {
    async stop() {
      await pass.stop();
      close();
    },
  };
}

async function openModel(size: "base"): Promise<StrongerModel> {
  const recognizer = await openRecognizerProcess(size, { priority: constants.priority.PRIORITY_LOW });
  return {
    recognize: (samples) => recognizer.run({ samples, expected: [], isSpeechCertain: false }),
    end: () => recognizer.end(),
  };
}
