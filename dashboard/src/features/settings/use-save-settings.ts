import { changeSettings, getSettings } from "@parley/contract/routes/account";
import type { Settings } from "@parley/contract/settings";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../../api/send.ts";
import { accountQuery } from "../../api/sign-in-state.ts";
import { useToast } from "../../ui/feedback/toast.tsx";

type SettingsWish = Partial<Settings>;

interface Saving {
  readonly wish: SettingsWish;
  /** What is said when it is done. */
  readonly said: string;
}

/** Changes settings: shown at once, put back when they are refused, and undone by a click when they were not meant. */
export function useSaveSettings() {
  const queries = useQueryClient();
  const toast = useToast();
  const saving = useMutation({
    mutationFn: ({ wish }: Saving) => send(changeSettings, { body: wish }),
    onMutate: async ({ wish }) => {
      await queries.cancelQueries(settingsQuery);
      const before = queries.getQueryData(settingsQuery.queryKey);
      if (before) queries.setQueryData(settingsQuery.queryKey, { ...before, ...wish });
      return { before };
    },
    onError: (_error, _saving, kept) => {
      if (kept?.before) queries.setQueryData(settingsQuery.queryKey, kept.before);
    },
    onSuccess: async (after, { wish, said }, { before }) => {
      queries.setQueryData(settingsQuery.queryKey, after);
      const undo = before ? () => saving.mutate({ wish: asBefore(before, wish), said: "Put back as it was." }) : null;
      toast({ text: said, ...(undo ? { undo } : {}) });
      await queries.invalidateQueries(accountQuery);
    },
  });
  return saving;
}

function asBefore(before: Settings, wish: SettingsWish): SettingsWish {
  const names = Object.keys(wish) as (keyof SettingsWish)[];
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => send(getSettings, { signal }),
});
