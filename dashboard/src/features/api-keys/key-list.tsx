import type { ApiKey } from "@parley/contract/api-keys";
import { SCOPES } from "@parley/contract/scopes";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { formatFull, formatMoment } from "../../ui/format.ts";

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  onRevoke(key: ApiKey): void;
}

export function KeyList({ keys, onRevoke }: KeyListProps) {
  return (
    <ul className="mt-2 divide-y divide-line border-t border-line">
      {keys.map((key) => (
        <li key={key.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium break-words">{key.name}</span>
              <Badge tone={key.mode === "live" ? "accent" : "neutral"}>{key.mode === "live" ? "Live" : "Test"}</Badge>
              {key.revokedAt ? <Badge tone="danger">Revoked</Badge> : null}
              {isExpired(key) ? <Badge tone="warning">Expired</Badge> : null}
            </p>
            <p className="mt-0.5 font-mono text-[0.8125rem] text-ink-soft">
              {key.prefix}…{key.lastFour}
            </p>
          </div>
          <p className="min-w-0 text-sm text-ink-soft sm:w-64">
            <span className="block">{usedWhen(key)}</span>
            <span className="block truncate">{mayDo(key)}</span>
          </p>
          {key.revokedAt ? (
            <span className="ml-auto text-sm text-ink-soft" title={formatFull(key.revokedAt)}>
              {formatMoment(key.revokedAt)}
            </span>
          ) : (
            <Button size="small" className="ml-auto" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function isExpired({ expiresAt, revokedAt }: ApiKey): boolean {
  return revokedAt === null && expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

function usedWhen({ lastUsedAt, createdAt }: ApiKey): string {
  return lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}` : `Never used, made ${formatMoment(createdAt)}`;
}

function mayDo({ scopes, expiresAt, allowedIps, dailySpendCap }: ApiKey): string {
  return [
    scopes.length === SCOPES.length ? "All scopes" : `${scopes.length} of ${SCOPES.length} scopes`,
    expiresAt ? `until ${formatMoment(expiresAt)}` : null,
    allowedIps.length > 0 ? `from ${allowedIps.join(", ")}` : null,
    dailySpendCap ? `$${dailySpendCap} a day` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
