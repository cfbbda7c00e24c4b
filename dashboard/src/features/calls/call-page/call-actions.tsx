import type { Call } from "@parley/contract/calls";
import { createCallShare, deleteCallShare, listCallShares } from "@parley/contract/routes/calls";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Braces, Copy, Ellipsis, Phone, Share2 } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { callKeys } from "../../../app/live-keys.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField, copyText } from "../../../ui/forms/copy-field.tsx";
import { Checkbox, SelectField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Menu, MenuItem } from "../../../ui/layout/menu.tsx";
import { uiText } from "../../../ui/text.ts";
import { Snippets } from "../../snippets/snippets.tsx";
import { NewCall } from "../new-call/new-call.tsx";
import { callPageText } from "./text.tsx";

/** Calls the same number again with the same agent and values, after a look at them. */
export function CallAgain({ call }: { readonly call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Phone aria-hidden="true" />
        {callPageText.callAgain}
      </Button>
      {isOpen ? <NewCall like={call} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** What else can be done with a call. */
export function MoreActions({ call }: { readonly call: Call }) {
  const toast = useToast();
  const [dialog, setDialog] = useState<"json" | "share" | null>(null);
  const copyId = async () => {
    const said = await copyText(call.id);
    toast({ text: said === uiText.copied ? callPageText.callIdCopied : callPageText.callIdIs(call.id) });
  };
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label={callPageText.moreActions}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onChoose={() => void copyId()}>
          <Copy aria-hidden="true" />
          {callPageText.copyCallId}
        </MenuItem>
        <MenuItem onChoose={() => setDialog("json")}>
          <Braces aria-hidden="true" />
          {callPageText.viewAsJson}
        </MenuItem>
        {call.phase === "ended" ? (
          <MenuItem onChoose={() => setDialog("share")}>
            <Share2 aria-hidden="true" />
            {callPageText.share}
          </MenuItem>
        ) : null}
      </Menu>
      {dialog === "json" ? (
        <Dialog
          isOpen
          isWide
          onClose={() => setDialog(null)}
          title={callPageText.callAsJson}
          lead={callPageText.jsonLead}
        >
          <div className="space-y-5">
            <CopyField label={callPageText.response} value={JSON.stringify(call, null, 2)} isLong />
            <Snippets
              label={callPageText.getItYourself}
              request={{ method: "GET", path: `/api/v1/calls/${call.id}` }}
            />
          </div>
        </Dialog>
      ) : null}
      {dialog === "share" ? <ShareDialog call={call} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

const sharesQuery = ({ id, mode }: Call) =>
  queryOptions({
    queryKey: [...callKeys.one(id), mode, "shares"],
    queryFn: ({ signal }) => send(listCallShares, { params: { id }, mode, signal }),
  });

const LASTING = [1, 7, 30];

function ShareDialog({ call, onClose }: { readonly call: Call; onClose(): void }) {
  const queries = useQueryClient();
  const [days, setDays] = useState(7);
  const [recording, setRecording] = useState(true);
  const shares = useQuery(sharesQuery(call));
  const refresh = () => queries.invalidateQueries({ queryKey: sharesQuery(call).queryKey });
  const create = useMutation({
    mutationFn: () => send(createCallShare, { params: { id: call.id }, mode: call.mode, body: { days, recording } }),
    onSuccess: refresh,
  });
  const revoke = useMutation({
    mutationFn: (shareId: string) => send(deleteCallShare, { params: { id: call.id, shareId }, mode: call.mode }),
    onSuccess: refresh,
  });
  const error = create.error ?? revoke.error ?? shares.error;
  return (
    <Dialog isOpen onClose={onClose} title={callPageText.shareTitle} lead={callPageText.shareLead}>
      <div className="space-y-4">
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {create.data ? (
          <CopyField label={callPageText.newLink} value={create.data.url} />
        ) : (
          <>
            <SelectField
              label={callPageText.linkLifetime}
              value={days}
              onChange={(event) => setDays(Number(event.target.value))}
            >
              {LASTING.map((count) => (
                <option key={count} value={count}>
                  {callPageText.days(count)}
                </option>
              ))}
            </SelectField>
            <Checkbox
              label={callPageText.includeRecording}
              checked={recording}
              onChange={(event) => setRecording(event.target.checked)}
            />
          </>
        )}
        {shares.data && shares.data.length > 0 ? (
          <section aria-label={callPageText.activeLinks}>
            <h3 className="mb-1 text-sm font-semibold">{callPageText.activeLinks}</h3>
            <ul className="divide-y divide-line text-sm">
              {shares.data.map((share) => (
                <li key={share.id} className="flex items-center justify-between gap-3 py-2">
                  <span>{callPageText.sharedUntil(formatFull(share.expiresAt), share.recording)}</span>
                  <Button size="small" onClick={() => revoke.mutate(share.id)}>
                    {callPageText.revoke}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>{create.data ? callPageText.done : callPageText.cancel}</Button>
          {create.data ? null : (
            <Button look="primary" isBusy={create.isPending} onClick={() => create.mutate()}>
              {callPageText.createLink}
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}
