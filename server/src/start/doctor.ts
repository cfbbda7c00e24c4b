import { publicTrunks } from "../phone/carriers/trunks-as-seen.ts";
import { createDoctor, type Doctor } from "../phone/doctor/create-doctor.ts";
import { readCarrierTrunk } from "../phone/trunks/read-carrier-trunk.ts";
import type { Ground } from "./ground.ts";
import { sipOptionsOf } from "./sip-options.ts";

/** Joins the parts that examine trunks, from this machine and as its settings say. */
export function joinDoctor({ db, secrets, settings }: Pick<Ground, "db" | "secrets" | "settings">): Doctor {
  const { sip } = settings;
  return createDoctor({
    surroundings: () => sipOptionsOf(sip, sip.port),
    async readTrunk(trunkId) {
      const { trunk, routes } = await readCarrierTrunk(db, secrets, trunkId);
      const [told = trunk] = publicTrunks({ trunks: [trunk], routes: [] }, sip.publicHost, sip.port).trunks;
      return { trunk: told, routes };
    },
  });
}
