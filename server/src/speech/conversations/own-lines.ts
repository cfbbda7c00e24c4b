import { STANDARD_LANGUAGES } from "@parley/flow/standard-texts";
import { translateSettings } from "@parley/flow/translate";
import type { Timers } from "@parley/time/clock";
import { reasonOf } from "@parley/voice/ports/provider-error";
import type { OwnLine, OwnLineName, OwnLines, UnspokenLine } from "@parley/voice/ports/speech-model";
import { plainText } from "@parley/voice/ports/speech-notation";
import { LRUCache } from "lru-cache";
import type { StandInVoice } from "../engines/open-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { identificationOf, momentOf } from "./identification-voice.ts";
import { type LocalVoices, localVoiceIn, speakWhole } from "./local-voices.ts";

export interface OwnLineRequest {
  /** In the language of the lines. */
  readonly plan: Pick<ConversationPlan, "flow" | "language" | "voiceId" | "variables">;
  readonly apology: string;
  readonly standIns: Promise<readonly StandInVoice[]>;
}

/** Agents ask many callees for a moment with the same words, and vendors charge for each time. */
const KEPT_MAX = 64;
/** The phone rings for longer, as a rule. A voice that takes longer is replaced by the next. */
const RENDER_WITHIN_MS = 8_000;

const WHAT_IS_MISSING: Readonly<Record<OwnLineName, string>> = {
  identification: "The callee did not hear who was calling",
  moment: "The callee was not asked for a moment",
  apology: "The callee heard no apology",
};

/** What is said for a model that is silent or gone: in the language of the call, or not at all. */
export function createOwnLines({ local, timers }: { readonly local: LocalVoices; readonly timers: Timers }) {
  const kept = new LRUCache<string, OwnLine>({ max: KEPT_MAX });

  async function render(
    name: OwnLineName,
    text: string | null,
    { plan, standIns }: OwnLineRequest,
  ): Promise<OwnLine | UnspokenLine> {
    const { language, voiceId } = plan;
    const title = new Intl.DisplayNames("en", { type: "language" }).of(codeOf(language)) ?? language;
    const missing = (reason: string) => ({ unspoken: `${WHAT_IS_MISSING[name]}: ${reason}` });
    if (text === null) return missing(`there are no words for it in ${title}, and the agent's settings have none`);
    let reason = `no voice here speaks ${title}`;
    for (const { isLocal, identity, synthesizer } of await standIns) {
      const spoken = isLocal ? localVoiceIn(local, voiceId, language) : identity;
      if (spoken === null) continue;
      const key = JSON.stringify([spoken, text]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const late = new AbortController();
      const cancel = timers.setTimer(RENDER_WITHIN_MS, () => late.abort(new Error("its voice took too long")));
      try {
        const clip = await speakWhole(synthesizer, text, { language, voiceId: spoken, signal: late.signal });
        const line = { text: plainText(text), clip };
        kept.set(key, line);
        return line;
      } catch (error) {
        reason = reasonOf(error);
      } finally {
        cancel();
      }
    }
    return missing(reason);
  }

  return function ownLinesFor(request: OwnLineRequest): OwnLines {
    const { plan } = request;
    const { identification, phrases } = plan.flow.settings ?? {};
    const isStandard = STANDARD_LANGUAGES.includes(codeOf(plan.language));
    const hasMoment = phrases?.moment !== undefined || isStandard;
    return {
      identification: render(
        "identification",
        identification !== undefined || hasMoment ? identificationOf(plan) : null,
        request,
      ),
      moment: render("moment", hasMoment ? momentOf(plan) : null, request),
      apology: render("apology", isStandard ? request.apology : null, request),
    };
  };
}

/** The plan as its call goes on in another language. */
export function planIn(plan: ConversationPlan, language: string): ConversationPlan {
  const other = plan.inOtherLanguages?.find((each) => each.language === language);
  if (other === undefined) return plan;
  const { flow } = plan;
  return { ...plan, ...other, flow: { ...flow, settings: translateSettings(flow.settings ?? {}, language) } };
}

function codeOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}
