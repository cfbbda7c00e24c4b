import * as routes from "@parley/contract/routes/operator";
import type { Database } from "../../platform/database/database.ts";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { changeGate, readGate } from "./change-gate.ts";

/** Who may be called, for operators to see and to change. */
export function gateRoutes({ db }: { readonly db: Database }): BoundRoute[] {
  return [
    handle(routes.getGate, async () => ({ data: await readGate(db, null) })),
    handle(routes.changeGate, async (request) => ({
      data: await changeGate(db, null, request.body, { accountId: request.accountId, ...writerOf(request) }),
    })),
    handle(routes.getAccountGate, async ({ params }) => ({ data: await readGate(db, params.id) })),
    handle(routes.changeAccountGate, async (request) => {
      const { id } = request.params;
      return { data: await changeGate(db, id, request.body, { accountId: id, ...writerOf(request) }) };
    }),
  ];
}

function writerOf(request: { readonly member: MemberActor; readonly ip: string; readonly client: string | null }) {
  return { actor: request.member.memberId, ip: request.ip, client: request.client };
}
