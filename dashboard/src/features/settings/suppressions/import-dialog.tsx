import { importSuppressions } from "@parley/contract/routes/account";
import { IMPORTED_NUMBERS_MAX } from "@parley/contract/suppressions";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { type ReadNumbers, readNumbers } from "./read-numbers.ts";
import { suppressionKeys } from "./suppression-queries.ts";

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
      const before = known > 0 ? ` ${known} ${known === 1 ? "was" : "were"} on the list before.` : "";
      toast({ text: `${added} ${added === 1 ? "number was" : "numbers were"} added.${before}` });
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
    <Dialog
      isOpen
      onClose={onClose}
      title="Import numbers"
      lead="Paste them with their country codes: one to a line, or with commas."
    >
      <form className="space-y-4" onSubmit={submit}>
        {error ? (
          <Notice tone="danger">
            {errorText(error)} What was added until then stays; import it again to add the rest.
          </Notice>
        ) : null}
        <TextAreaField
          label="Numbers"
          rows={8}
          spellCheck={false}
          placeholder={"+49 30 1234567\n+1 (555) 010-0001"}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="font-mono text-[0.8125rem]"
        />
        <div role="status">{text.trim() === "" ? null : <Reading read={read} />}</div>
        <TextField
          label="Reason (optional)"
          maxLength={500}
          placeholder="Moved from the old system"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={read.numbers.length === 0}>
            {read.numbers.length === 0 ? "Add numbers" : `Add ${read.numbers.length}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const SHOWN_MAX = 5;

function Reading({ read: { numbers, unreadable } }: { readonly read: ReadNumbers }) {
  const shown = unreadable.slice(0, SHOWN_MAX).map((each) => `“${each.slice(0, 40)}”`);
  return (
    <p className="text-sm text-ink-soft">
      {numbers.length === 1 ? "1 number" : `${numbers.length} numbers`} read.
      {unreadable.length > 0 ? (
        <span className="block break-words text-warning-text" dir="auto">
          Left out: {shown.join(", ")}
          {unreadable.length > SHOWN_MAX ? ` and ${unreadable.length - SHOWN_MAX} more` : ""}.
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
