import { changeSettings, getSettings } from "@parley/contract/routes/account";
import type { Settings } from "@parley/contract/settings";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../../api/send.ts";
import { accountQuery } from "../../api/sign-in-state.ts";
import { useToast } from "../../ui/feedback/toast.tsx";
import { settingsText } from "./text.tsx";

type SettingsChange = Partial<Settings>;

interface Saving {
  readonly change: SettingsChange;
  /** Shown in a toast when it is saved. */
  readonly message: string;
}

/** Changes settings optimistically: rolled back when the request fails, with an undo in the toast. */
export function useSaveSettings() {
  const queries = useQueryClient();
  const toast = useToast();
  const saving = useMutation({
    mutationFn: ({ change }: Saving) => send(changeSettings, { body: change }),
    onMutate: async ({ change }) => {
      await queries.cancelQueries(settingsQuery);
      const before = queries.getQueryData(settingsQuery.queryKey);
      if (before) queries.setQueryData(settingsQuery.queryKey, { ...before, ...change });
      return { before };
    },
    onError: (_error, _saving, kept) => {
      if (kept?.before) queries.setQueryData(settingsQuery.queryKey, kept.before);
    },
    onSuccess: (after, { change, message }, { before }) => {
      queries.setQueryData(settingsQuery.queryKey, after);
      const undo = before
        ? () => saving.mutate({ change: asBefore(before, change), message: settingsText.changeUndone })
        : null;
      toast({ text: message, ...(undo ? { undo } : {}) });
      // Not awaited: an undo that comes first would take the place of this change, and its form would never learn that it was saved.
      void queries.invalidateQueries(accountQuery);
    },
  });
  return saving;
}

function asBefore(before: Settings, change: SettingsChange): SettingsChange {
  const names = Object.keys(change) as (keyof SettingsChange)[];
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => send(getSettings, { signal }),
});
