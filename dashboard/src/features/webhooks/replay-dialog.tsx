import { replayWebhook } from "@parley/contract/routes/webhooks";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useToast } from "../../ui/toast.tsx";
import { localMinute } from "./local-minute.ts";
import { webhookKeys } from "./webhook-queries.ts";

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;

interface ReplayDialogProps {
  readonly endpoint: WebhookEndpoint;
  onClose(): void;
}

/** Sends everything since a moment again. */
export function ReplayDialog({ endpoint, onClose }: ReplayDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MS));
  const [isOnlyUndelivered, setOnlyUndelivered] = useState(true);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => replayAll(endpoint, new Date(since).toISOString(), isOnlyUndelivered),
    onSuccess: async (count) => {
      toast({
        text:
          count === 0
            ? "There was nothing to send."
            : `${count} ${count === 1 ? "event is" : "events are"} on the way.`,
      });
      onClose();
      await queries.invalidateQueries({ queryKey: webhookKeys.one(endpoint.id) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Send again"
      lead={`Everything this endpoint wants that happened since, also before it was there, up to ${KEPT_DAYS} days back. Each event keeps its id, so that a receiver can skip what it has seen.`}
    >
      <form className="space-y-3" onSubmit={submit}>
        {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
        <TextField
          label="Since"
          type="datetime-local"
          required
          value={since}
          min={localMinute(Date.now() - KEPT_DAYS * DAY_MS)}
          max={localMinute(Date.now())}
          onChange={(event) => setSince(event.target.value)}
        />
        <Checkbox
          label="Leave out what was accepted before"
          checked={isOnlyUndelivered}
          onChange={(event) => setOnlyUndelivered(event.target.checked)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Send again
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** One request replays so many; the reply says where to go on. */
async function replayAll({ id, mode }: WebhookEndpoint, from: string, isOnlyUndelivered: boolean): Promise<number> {
  let since: string | null = from;
  let count = 0;
  while (since !== null) {
    const query = { since, only: isOnlyUndelivered ? "undelivered" : undefined };
    const replay: { eventCount: number; nextSince: string | null } = await send(replayWebhook, {
      params: { id },
      mode,
      query,
      body: {},
    });
    count += replay.eventCount;
    since = replay.nextSince;
  }
  return count;
}
