import type { ApiKey } from "@parley/contract/api-keys";
import { revokeApiKey } from "@parley/contract/routes/members";
import { SCOPES } from "@parley/contract/scopes";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { keysQuery } from "./key-queries.ts";
import { apiKeysText } from "./text.ts";

/** Settings > Developer: the API keys of programs. */
export function DeveloperPage() {
  const keys = useInfiniteQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const rows = keys.data?.pages.flatMap((page) => page.rows) ?? [];
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      {apiKeysText.createNewApiKey}
    </Button>
  );
  return (
    <Page title={apiKeysText.developer} lead={apiKeysText.lead} actions={rows.length > 0 ? create : null}>
      {keys.error ? <Notice tone="danger">{errorText(keys.error)}</Notice> : null}
      <Card title={apiKeysText.apiKeys} isFlush>
        {keys.isPending ? <SkeletonRows count={3} label={apiKeysText.loadingKeys} /> : null}
        {keys.isSuccess && rows.length === 0 ? (
          <EmptyState icon={<KeyRound />} title={apiKeysText.noKeysYet} text={apiKeysText.emptyList} action={create} />
        ) : null}
        {rows.length > 0 ? <KeyList keys={rows} onRevoke={setRevoked} /> : null}
        {keys.hasNextPage ? (
          <div className="p-4 text-center">
            <Button onClick={() => void keys.fetchNextPage()} isBusy={keys.isFetchingNextPage}>
              {apiKeysText.showMore}
            </Button>
          </div>
        ) : null}
      </Card>
      {isCreating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
      {revoked ? <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} /> : null}
    </Page>
  );
}

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  onRevoke(key: ApiKey): void;
}

function KeyList({ keys, onRevoke }: KeyListProps) {
  return (
    <ul className="mt-2 divide-y divide-line border-t border-line">
      {keys.map((key) => (
        <li key={key.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium break-words">{key.name}</span>
              <Badge tone={key.mode === "live" ? "accent" : "neutral"}>
                {key.mode === "live" ? apiKeysText.live : apiKeysText.test}
              </Badge>
              {key.revokedAt ? <Badge tone="danger">{apiKeysText.revoked}</Badge> : null}
              {isExpired(key) ? <Badge tone="warning">{apiKeysText.expired}</Badge> : null}
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
            <Button
              size="small"
              className="ml-auto"
              onClick={() => onRevoke(key)}
              aria-label={apiKeysText.revokeKey(key.name)}
            >
              {apiKeysText.revoke}
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
  return lastUsedAt ? apiKeysText.lastUsed(formatMoment(lastUsedAt)) : apiKeysText.neverUsed(formatMoment(createdAt));
}

function mayDo({ scopes, expiresAt, allowedIps, dailySpendCap }: ApiKey): string {
  return [
    scopes.length === SCOPES.length ? apiKeysText.allScopes : apiKeysText.someScopes(scopes.length, SCOPES.length),
    expiresAt ? apiKeysText.validUntil(formatMoment(expiresAt)) : null,
    allowedIps.length > 0 ? apiKeysText.usableFrom(allowedIps.join(", ")) : null,
    dailySpendCap ? apiKeysText.capPerDay(dailySpendCap) : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  onClose(): void;
}

/** Asks before a key is revoked: it cannot be undone. */
function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(revokeApiKey, { params: { id: apiKey.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries(keysQuery);
      toast({ text: apiKeysText.wasRevoked(apiKey.name) });
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={apiKeysText.revokeQuestion(apiKey.name)}
      lead={apiKeysText.revokeConsequence}
    >
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{apiKeysText.keepIt}</Button>
        <Button look="danger" onClick={() => mutate()} isBusy={isPending}>
          {apiKeysText.revokeTheKey}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
