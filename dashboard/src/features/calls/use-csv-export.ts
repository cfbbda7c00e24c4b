import { listCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { useMutation } from "@tanstack/react-query";
import { inWords } from "../../api/refusal.ts";
import { addressOf, fetchOrRefuse } from "../../api/send.ts";
import { useToast } from "../../ui/toast.tsx";
import { type CallFilter, toCallQuery } from "./call-filter.ts";

/** Saves the calls that the filter lets through. The API writes CSV for whoever accepts it, which a plain link cannot say. */
export function useCsvExport(mode: Mode, filter: CallFilter) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const address = addressOf(listCalls, { mode, query: { ...toCallQuery(filter) } });
      const reply = await fetchOrRefuse(address, { headers: { accept: "text/csv" } });
      save(await reply.blob(), `calls-${mode}-${new Date().toISOString().slice(0, 10)}.csv`);
    },
    onError: (error) => toast({ text: inWords(error) }),
  });
  return { start: () => mutate(), isBusy: isPending };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
