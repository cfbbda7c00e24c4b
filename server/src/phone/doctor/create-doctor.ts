import type { DoctorReport } from "@parley/contract/doctor";
import { AppError } from "@parley/contract/errors";
import type { Trunk } from "@parley/telephony/sip-carrier/trunk";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import { type Examination, examineTrunk } from "./examine-trunk.ts";
import type { DoctorSurroundings } from "./surroundings.ts";

export interface DoctorDeps {
  /** The trunk with its password, as calls would use it from here. Throws when there is none. */
  readTrunk(trunkId: string): Promise<{ readonly trunk: Trunk; readonly routes: number }>;
  /** Throws, in words for the operator, when a file that the settings name cannot be read. */
  surroundings(): DoctorSurroundings;
}

export interface Order extends Pick<Examination, "to" | "signal" | "onStep"> {
  /** Awaited before anything is sent; when it rejects nothing is. */
  onBegin?(): Promise<void>;
}

export interface Doctor {
  /** One examination of a trunk at a time: two would ring the same phone and disturb each other. */
  examine(trunkId: string, order: Order): Promise<DoctorReport>;
}

export function createDoctor({ readTrunk, surroundings }: DoctorDeps): Doctor {
  const underWay = new Set<string>();
  return {
    async examine(trunkId, { onBegin, ...how }) {
      const { trunk, routes } = await readUsable(readTrunk, trunkId);
      if (underWay.has(trunkId)) throw new AppError("invalid_state", "The trunk is being examined already.");
      underWay.add(trunkId);
      try {
        await onBegin?.();
        return await examineTrunk(surroundings(), { ...how, trunk, routes });
      } finally {
        underWay.delete(trunkId);
      }
    },
  };
}

async function readUsable(readTrunk: DoctorDeps["readTrunk"], trunkId: string): ReturnType<DoctorDeps["readTrunk"]> {
  try {
    return await readTrunk(trunkId);
  } catch (error) {
    if (error instanceof UnreadableSecret) throw new AppError("invalid_state", error.message, { cause: error });
    throw error;
  }
}
