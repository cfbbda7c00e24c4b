import type { Call } from "@parley/contract/calls";
import { createCallShare, deleteCallShare, listCallShares } from "@parley/contract/routes/calls";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Braces, Copy, Ellipsis, Phone, Share2 } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField, copyText } from "../../../ui/forms/copy-field.tsx";
import { Checkbox, SelectField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Menu, MenuItem } from "../../../ui/layout/menu.tsx";
import { Snippets } from "../../snippets/snippets.tsx";
import { callKeys } from "../call-queries.ts";
import { NewCall } from "../new-call.tsx";

/** Calls the same number again with the same agent and values, after a look at them. */
export function CallAgain({ call }: { readonly call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Phone aria-hidden="true" />
        Call again
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
    toast({ text: said === "Copied" ? "Call ID copied." : `The call ID is ${call.id}` });
  };
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="More actions">
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onChoose={() => void copyId()}>
          <Copy aria-hidden="true" />
          Copy call ID
        </MenuItem>
        <MenuItem onChoose={() => setDialog("json")}>
          <Braces aria-hidden="true" />
          View as JSON
        </MenuItem>
        {call.phase === "ended" ? (
          <MenuItem onChoose={() => setDialog("share")}>
            <Share2 aria-hidden="true" />
            Share…
          </MenuItem>
        ) : null}
      </Menu>
      {dialog === "json" ? (
        <Dialog isOpen isWide onClose={() => setDialog(null)} title="Call as JSON" lead="As the API returns it.">
          <div className="space-y-5">
            <CopyField label="Response" value={JSON.stringify(call, null, 2)} isLong />
            <Snippets label="Get it yourself" request={{ method: "GET", path: `/api/v1/calls/${call.id}` }} />
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
    <Dialog
      isOpen
      onClose={onClose}
      title="Share this call"
      lead="Anyone with the link can read what was said, without signing in. The number is shortened, and metadata and cost are not shown."
    >
      <div className="space-y-4">
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {create.data ? (
          <CopyField label="Link, shown only once" value={create.data.url} />
        ) : (
          <>
            <SelectField
              label="The link works for"
              value={days}
              onChange={(event) => setDays(Number(event.target.value))}
            >
              {LASTING.map((count) => (
                <option key={count} value={count}>
                  {count === 1 ? "1 day" : `${count} days`}
                </option>
              ))}
            </SelectField>
            <Checkbox
              label="Include the recording"
              checked={recording}
              onChange={(event) => setRecording(event.target.checked)}
            />
          </>
        )}
        {shares.data && shares.data.length > 0 ? (
          <section aria-label="Active links">
            <h3 className="mb-1 text-sm font-semibold">Active links</h3>
            <ul className="divide-y divide-line text-sm">
              {shares.data.map((share) => (
                <li key={share.id} className="flex items-center justify-between gap-3 py-2">
                  <span>
                    Until {formatFull(share.expiresAt)}
                    {share.recording ? "" : ", without the recording"}
                  </span>
                  <Button size="small" onClick={() => revoke.mutate(share.id)}>
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>{create.data ? "Done" : "Cancel"}</Button>
          {create.data ? null : (
            <Button look="primary" isBusy={create.isPending} onClick={() => create.mutate()}>
              Create link
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}
