import * as routes from "@parley/contract/routes/device-sign-in";
import { inTransaction } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { scopesFor } from "../api-keys/routes.ts";
import { auditRequest } from "../audit/record-audit.ts";
import { type DeviceSignInDeps, fetchDeviceKey, requireOpenSignIn, startDeviceSignIn } from "./device-sign-in.ts";
import { toDeviceSignIn, writeApproval, writeDenial } from "./device-sign-in-store.ts";

/** Signing in command lines by a code that a member confirms in the dashboard (RFC 8628). */
export function deviceSignInRoutes(deps: DeviceSignInDeps): BoundRoute[] {
  return [
    handle(routes.startDeviceSignIn, async ({ body, ip }) => ({
      data: await startDeviceSignIn(deps, body.client, ip),
    })),
    handle(routes.fetchDeviceKey, async ({ body, ip, client }) => ({
      data: await fetchDeviceKey(deps, body.deviceCode, { ip, client }),
    })),
    handle(routes.getDeviceSignIn, ({ params, member }) =>
      inTransaction(deps.db, async (tx) => ({
        data: toDeviceSignIn(await requireOpenSignIn(deps, tx, params.code, member.memberId)),
      })),
    ),
    handle(routes.approveDeviceSignIn, (request) =>
      inTransaction(deps.db, async (tx) => {
        const { params, body, member } = request;
        const row = await requireOpenSignIn(deps, tx, params.code, member.memberId);
        const { accountId, memberId, role } = member;
        const scopes = scopesFor(role, body.scopes);
        await writeApproval(tx, row.id, { accountId, memberId, mode: body.mode, scopes });
        await auditRequest(tx, request, "device_sign_in.approved", row.id, { client: row.client, mode: body.mode });
        return { data: { ...toDeviceSignIn(row), isApproved: true } };
      }),
    ),
    handle(routes.denyDeviceSignIn, (request) =>
      inTransaction(deps.db, async (tx) => {
        const row = await requireOpenSignIn(deps, tx, request.params.code, request.member.memberId);
        await writeDenial(tx, row.id);
        await auditRequest(tx, request, "device_sign_in.denied", row.id, { client: row.client });
        return { data: {} };
      }),
    ),
  ];
}
