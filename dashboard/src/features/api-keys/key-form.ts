import type { NewApiKey } from "@parley/contract/api-keys";
import { grantableScopes, type Role, type Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";

/** What a person fills in. */
export interface KeyForm {
  name: string;
  mode: Mode;
  scopes: Scope[];
  /** A day in the reader's own time zone, or nothing. */
  expiresOn: string;
  allowedIps: string;
  dailySpendCap: string;
}

/** A key may do everything that its maker may give, unless something is unticked. */
export function startKeyForm(mode: Mode, role: Role): KeyForm {
  return { name: "", mode, scopes: grantableScopes(role), expiresOn: "", allowedIps: "", dailySpendCap: "" };
}

/** What the API is asked for. What was left empty is left out. */
export function readKeyForm(
  { name, mode, scopes, expiresOn, allowedIps, dailySpendCap }: KeyForm,
  role: Role,
): NewApiKey {
  const ips = allowedIps.split(/[\s,]+/).filter(Boolean);
  return {
    name: name.trim(),
    mode,
    ...(scopes.length === grantableScopes(role).length ? {} : { scopes }),
    ...(expiresOn ? { expiresAt: endOfDay(expiresOn) } : {}),
    ...(ips.length > 0 ? { allowedIps: ips } : {}),
    ...(dailySpendCap.trim() ? { dailySpendCap: dailySpendCap.trim() } : {}),
  };
}

/** A key that expires on a day works through that day. */
function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
