import { hostname } from "node:os";
import type { Carrier } from "@parley/telephony/carrier";
import { connectSimulatedNetwork } from "@parley/telephony/simulated-network/remote-simulated-network";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { openSipCarrier } from "@parley/telephony/sip-carrier/sip-carrier";
import type { SipCarrierObserver } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";
import { systemClock } from "@parley/time/clock";
import {
  type OpenCalleeRecognizer,
  type OpenCalleeVoice,
  openCalleeRecognizer,
  openCalleeVoice,
} from "../phone/carriers/callee-speech.ts";
import { LazySipCarrier } from "../phone/carriers/lazy-sip-carrier.ts";
import { observeTrunks } from "../phone/carriers/observe-trunks.ts";
import { type Carriers, openCarriers } from "../phone/carriers/open-carriers.ts";
import { publicTrunks, silentTrunks } from "../phone/carriers/trunks-as-seen.ts";
import { VendorTrunks } from "../phone/carriers/vendors/vendor-trunks.ts";
import { noteAttempt } from "../phone/trunks/attempt-note-store.ts";
import { HealthNotes } from "../phone/trunks/health-notes.ts";
import { sipTrunksOf } from "../phone/trunks/to-carrier-trunk.ts";
import type { OpenTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { LocalSpeech } from "../speech/conversations/local-speech.ts";
import { sipOptionsOf } from "./doctor.ts";
import type { ServiceContext } from "./service-context.ts";

/** Joins the networks that the calls of one worker go out on. */
export function joinCarriers(
  context: ServiceContext,
  directory: OpenTrunkDirectory,
  workerId: string,
  speech: Pick<LocalSpeech, "connectRecognizer">,
): Carriers & { readonly vendors: VendorTrunks } {
  const { db, log, metrics, settings, secrets } = context;
  const warn = (message: string) => (error: unknown) => log.warn({ error }, message);
  const health = new HealthNotes({
    db,
    clock: systemClock,
    workerId,
    onError: warn("health of a trunk could not be stored"),
  });
  const observer = observeTrunks({
    clock: systemClock,
    log,
    metrics,
    trunkNames: () => directory.current().trunks.map(({ name }) => name),
    trunkName: (trunkId) => directory.current().trunks.find(({ id }) => id === trunkId)?.name ?? trunkId,
    noteAttempt: (outcome) => void noteAttempt(db, outcome).catch(warn("attempt on a trunk could not be counted")),
    noteHealth: (trunkId, word) => health.note(trunkId, word),
  });
  const open = (port: number, trunksOf: () => TrunkDirectory, observed: SipCarrierObserver) =>
    openSipCarrier({
      ...sipOptionsOf(settings.sip, port),
      directory: () => publicTrunks(trunksOf(), settings.sip.publicHost, port),
      observer: observed,
    });
  const trunks = new LazySipCarrier({
    clock: systemClock,
    host: hostname(),
    firstPort: settings.sip.port,
    open: async (port) => open(port, () => sipTrunksOf(directory.current()), observer),
    openOrphanCarrier: async (port) => open(port, () => silentTrunks(sipTrunksOf(directory.current())), {}),
    onOpen: ({ listening }) => log.info({ listening }, "SIP ports opened"),
    onError: (error) => log.error({ error }, "SIP ports could not be opened"),
  });
  const vendors = new VendorTrunks({
    clock: systemClock,
    workerId,
    reach: settings,
    vouch: secrets.vouch,
    directory: directory.current,
    observer,
  });
  const voice = settings.simulatedNetwork ? null : openCalleeVoice();
  // Without conversations the simulated callees need no recognition.
  const isSpokenTo = !settings.simulatedNetwork && settings.conversations.threads > 0;
  const recognizer = isSpokenTo ? openCalleeRecognizer(speech.connectRecognizer) : null;
  const simulated = openSimulatedNetwork(settings, voice, recognizer);
  const carriers = openCarriers({ simulated, trunks, vendors, directory });
  return {
    ...carriers,
    vendors,
    async close() {
      await carriers.close();
      await health.close();
      await voice?.close();
      await recognizer?.close();
    },
  };
}

/** The simulated network in this process, or the one in the process that the settings name. */
function openSimulatedNetwork(
  { simulatedNetwork }: Settings,
  voice: OpenCalleeVoice | null,
  recognizer: OpenCalleeRecognizer | null,
): Carrier {
  if (simulatedNetwork) return connectSimulatedNetwork({ ...simulatedNetwork, clock: systemClock });
  return createSimulatedNetwork({
    clock: systemClock,
    ...(voice ? { voice } : {}),
    ...(recognizer ? { recognizer } : {}),
  });
}
