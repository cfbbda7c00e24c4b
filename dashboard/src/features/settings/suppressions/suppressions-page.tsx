import { addSuppression, removeSuppression } from "@parley/contract/routes/account";
import type { Suppression } from "@parley/contract/suppressions";
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { ListPlus, PhoneOff, Plus, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { readNumber } from "./read-numbers.ts";
import { suppressionKeys, suppressionsQuery } from "./suppression-queries.ts";

/** Settings > Suppression list: numbers that are never called. */
export function SuppressionsPage() {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<"add" | "import" | null>(null);
  const startsWith = prefixOf(typed);
  const list = useInfiniteQuery({ ...suppressionsQuery(startsWith), placeholderData: keepPreviousData });
  const add = (
    <>
      <Button onClick={() => setOpen("import")}>
        <ListPlus aria-hidden="true" />
        Import
      </Button>
      <Button look="primary" onClick={() => setOpen("add")}>
        <Plus aria-hidden="true" />
        Add number
      </Button>
    </>
  );
  return (
    <Page
      title="Suppression list"
      lead="No call of this account reaches these numbers, not even one that was accepted before."
      actions={add}
    >
      <Card isFlush>
        <div className="px-4 py-4 sm:px-5">
          <input
            type="search"
            inputMode="tel"
            aria-label="Find numbers by how they begin"
            placeholder="Begins with +49 30…"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`${CONTROL} h-10 sm:max-w-xs`}
          />
        </div>
        <PagedList
          list={list}
          label="Fetching the numbers"
          empty={
            startsWith === "" ? (
              <EmptyState
                icon={<PhoneOff />}
                title="Nobody is on the list"
                text="Whoever asks an agent not to be called again is put here by itself. You can add numbers, or paste a list you have."
              />
            ) : (
              <EmptyState
                icon={<SearchX />}
                title="No such number"
                text={`None on the list begins with ${startsWith}.`}
              />
            )
          }
        >
          {(rows) => <SuppressionList rows={rows} />}
        </PagedList>
      </Card>
      {open === "add" ? <AddNumberDialog onClose={() => setOpen(null)} /> : null}
      {open === "import" ? <ImportDialog onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

/** The number prefix in the typed text. */
function prefixOf(typed: string): string {
  const digits = typed
    .replace(/^\s*00/, "")
    .replaceAll(/\D/g, "")
    .slice(0, 15);
  return digits === "" ? "" : `+${digits}`;
}

/** The numbers, each with its reason. Removing one can be undone by a click. */
function SuppressionList({ rows }: { readonly rows: readonly Suppression[] }) {
  const queries = useQueryClient();
  const toast = useToast();
  const refresh = () => queries.invalidateQueries({ queryKey: suppressionKeys.lists });
  const refused = (error: unknown) => toast({ text: errorText(error) });
  const putBack = useMutation({
    mutationFn: ({ phoneNumber, reason }: Suppression) => send(addSuppression, { body: { phoneNumber, reason } }),
    onSuccess: refresh,
    onError: refused,
  });
  const remove = useMutation({
    mutationFn: ({ phoneNumber }: Suppression) => send(removeSuppression, { query: { phoneNumber } }),
    onSuccess: async (_done, row) => {
      toast({ text: `${row.phoneNumber} may be called again.`, undo: () => putBack.mutate(row) });
      await refresh();
    },
    onError: refused,
  });
  return (
    <ul className="divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <li key={row.phoneNumber} className="flex items-center gap-x-4 px-4 py-3 sm:px-5">
          <div className="min-w-0 flex-1 sm:grid sm:grid-cols-[11rem_minmax(0,1fr)_auto] sm:items-baseline sm:gap-x-4">
            <p className="font-medium tabular-nums">{row.phoneNumber}</p>
            <p className="text-sm break-words text-ink-soft" dir="auto">
              {row.reason}
            </p>
            <p className="text-sm text-ink-soft" title={formatFull(row.createdAt)}>
              {formatMoment(row.createdAt)}
            </p>
          </div>
          <Button
            look="quiet"
            size="smallIcon"
            aria-label={`Take ${row.phoneNumber} off the list`}
            isBusy={remove.isPending && remove.variables.phoneNumber === row.phoneNumber}
            onClick={() => remove.mutate(row)}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface Values {
  phoneNumber: string;
  reason: string;
}

function AddNumberDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { register, handleSubmit, formState } = useForm<Values>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ phoneNumber, reason }: Values) =>
      send(addSuppression, { body: { phoneNumber: readNumber(phoneNumber) ?? phoneNumber, reason: reason.trim() } }),
    onSuccess: async ({ phoneNumber }) => {
      toast({ text: `${phoneNumber} is not called any more.` });
      onClose();
      await queries.invalidateQueries({ queryKey: suppressionKeys.lists });
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog isOpen onClose={onClose} title="Add number" lead="It is never called again, from this moment on.">
      <form className="space-y-4" noValidate onSubmit={handleSubmit((values) => mutate(values))}>
        {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label="Phone number"
          type="tel"
          autoComplete="off"
          placeholder="+49 30 1234567"
          hint="With its country code."
          error={formState.errors.phoneNumber?.message ?? fields["phoneNumber"]}
          {...register("phoneNumber", {
            validate: (text) =>
              readNumber(text) !== null || "Write the number with its country code, such as +49 30 1234567.",
          })}
        />
        <TextField
          label="Reason (optional)"
          maxLength={500}
          placeholder="Asked not to be called"
          error={fields["reason"]}
          {...register("reason")}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Add number
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
