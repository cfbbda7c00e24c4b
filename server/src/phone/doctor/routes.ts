import * as routes from "@parley/contract/routes/doctor";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { Doctor } from "./create-doctor.ts";

export interface DoctorRouteDeps {
  readonly db: Database;
  readonly doctor: Doctor;
}

/** Examining trunks: for operators alone. */
export function doctorRoutes({ db, doctor }: DoctorRouteDeps): BoundRoute[] {
  return [
    handle(routes.examineTrunk, async (request) => {
      const { id } = request.params;
      const to = request.body.to ?? null;
      const { accountId, memberId } = request.member;
      const note = {
        accountId,
        actor: memberId,
        action: "trunk.examined" as const,
        target: id,
        ip: request.ip,
        client: request.client,
        data: { called: to !== null },
      };
      const onBegin = () => recordAudit(db, note);
      const report = await doctor.examine(id, { to, signal: request.closing, onBegin });
      return { data: report };
    }),
  ];
}
