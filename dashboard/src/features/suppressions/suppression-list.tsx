import { addSuppression, removeSuppression } from "@parley/contract/routes/account";
import type { Suppression } from "@parley/contract/suppressions";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { formatFull, formatMoment } from "../../ui/format.ts";
import { useToast } from "../../ui/toast.tsx";
import { suppressionKeys } from "./suppression-queries.ts";

/** The numbers, each with why it is there. Taking one off is undone by a click. */
export function SuppressionList({ rows }: { readonly rows: readonly Suppression[] }) {
  const queries = useQueryClient();
  const toast = useToast();
  const refresh = () => queries.invalidateQueries({ queryKey: suppressionKeys.lists });
  const refused = (error: unknown) => toast({ text: inWords(error) });
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
