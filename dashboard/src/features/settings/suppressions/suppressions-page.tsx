import {
  addSuppression,
  importSuppressions,
  listSuppressions,
  removeSuppression,
} from "@parley/contract/routes/account";
import { IMPORTED_NUMBERS_MAX, type Suppression } from "@parley/contract/suppressions";
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { ListPlus, PhoneOff, Plus, SearchX, Trash2 } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { pagesOf, send } from "../../../api/send.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { type ReadNumbers, readNumber, readNumbers } from "./read-numbers.ts";
import { suppressionsText } from "./text.ts";

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
        {suppressionsText.importLabel}
      </Button>
      <Button look="primary" onClick={() => setOpen("add")}>
        <Plus aria-hidden="true" />
        {suppressionsText.addNumber}
      </Button>
    </>
  );
  return (
    <Page title={suppressionsText.suppressionList} lead={suppressionsText.lead} actions={add}>
      <Card isFlush>
        <div className="px-4 py-4 sm:px-5">
          <input
            type="search"
            inputMode="tel"
            aria-label={suppressionsText.searchLabel}
            placeholder={suppressionsText.searchExample}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`${CONTROL} h-10 sm:max-w-xs`}
          />
        </div>
        <PagedList
          list={list}
          label={suppressionsText.loadingNumbers}
          empty={
            startsWith === "" ? (
              <EmptyState
                icon={<PhoneOff />}
                title={suppressionsText.emptyList}
                text={suppressionsText.emptyListText}
              />
            ) : (
              <EmptyState
                icon={<SearchX />}
                title={suppressionsText.noSuchNumber}
                text={suppressionsText.noneStartsWith(startsWith)}
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
      toast({ text: suppressionsText.mayBeCalledAgain(row.phoneNumber), undo: () => putBack.mutate(row) });
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
            aria-label={suppressionsText.removeNumber(row.phoneNumber)}
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
      toast({ text: suppressionsText.willNotBeCalled(phoneNumber) });
      onClose();
      await queries.invalidateQueries({ queryKey: suppressionKeys.lists });
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog isOpen onClose={onClose} title={suppressionsText.addNumber} lead={suppressionsText.takesEffectImmediately}>
      <form className="space-y-4" noValidate onSubmit={handleSubmit((values) => mutate(values))}>
        {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label={suppressionsText.phoneNumber}
          type="tel"
          autoComplete="off"
          placeholder="+49 30 1234567"
          hint={suppressionsText.withItsCountryCode}
          error={formState.errors.phoneNumber?.message ?? fields["phoneNumber"]}
          {...register("phoneNumber", {
            validate: (text) => readNumber(text) !== null || suppressionsText.numberMistake,
          })}
        />
        <TextField
          label={suppressionsText.reasonOptional}
          maxLength={500}
          placeholder={suppressionsText.reasonExample}
          error={fields["reason"]}
          {...register("reason")}
        />
        <DialogActions>
          <Button onClick={onClose}>{suppressionsText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {suppressionsText.addNumber}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Adds a pasted list of numbers to the suppression list. Invalid ones are listed before anything is sent. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const read = useMemo(() => readNumbers(text), [text]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => importAll(read.numbers, reason.trim()),
    onSuccess: ({ added, known }) => {
      toast({ text: suppressionsText.imported(added, known) });
      onClose();
    },
    // A long list is sent in several requests: some of it may be stored although the last was refused.
    onSettled: () => queries.invalidateQueries({ queryKey: suppressionKeys.lists }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog isOpen onClose={onClose} title={suppressionsText.importNumbers} lead={suppressionsText.importLead}>
      <form className="space-y-4" onSubmit={submit}>
        {error ? <Notice tone="danger">{suppressionsText.importFailed(errorText(error))}</Notice> : null}
        <TextAreaField
          label={suppressionsText.numbers}
          rows={8}
          spellCheck={false}
          placeholder={"+49 30 1234567\n+1 (555) 010-0001"}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="font-mono text-[0.8125rem]"
        />
        <div role="status">{text.trim() === "" ? null : <Reading read={read} />}</div>
        <TextField
          label={suppressionsText.reasonOptional}
          maxLength={500}
          placeholder={suppressionsText.importReasonExample}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{suppressionsText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={read.numbers.length === 0}>
            {read.numbers.length === 0 ? suppressionsText.addNumbers : suppressionsText.addCount(read.numbers.length)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const SHOWN_MAX = 5;

function Reading({ read: { numbers, unreadable } }: { readonly read: ReadNumbers }) {
  const shown = unreadable.slice(0, SHOWN_MAX).map((each) => each.slice(0, 40));
  return (
    <p className="text-sm text-ink-soft">
      {suppressionsText.numbersRead(numbers.length)}
      {unreadable.length > 0 ? (
        <span className="block break-words text-warning-text" dir="auto">
          {suppressionsText.leftOut(shown, unreadable.length - shown.length)}
        </span>
      ) : null}
    </p>
  );
}

async function importAll(numbers: readonly string[], reason: string): Promise<{ added: number; known: number }> {
  let added = 0;
  let known = 0;
  for (let at = 0; at < numbers.length; at += IMPORTED_NUMBERS_MAX) {
    const phoneNumbers = numbers.slice(at, at + IMPORTED_NUMBERS_MAX);
    const { addedCount, knownCount } = await send(importSuppressions, { body: { phoneNumbers, reason } });
    added += addedCount;
    known += knownCount;
  }
  return { added, known };
}

export const suppressionKeys = { lists: ["suppressions"] as const };

export const suppressionsQuery = (startsWith: string) =>
  pagesOf([...suppressionKeys.lists, startsWith], listSuppressions, {
    query: { startsWith: startsWith === "" ? undefined : startsWith },
  });
