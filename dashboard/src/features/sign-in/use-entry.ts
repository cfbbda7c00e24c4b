import type { Me } from "@parley/contract/accounts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Refusal } from "../../api/refusal.ts";
import { meQuery, signInEnded } from "../../api/sign-in-state.ts";

/** Signs somebody in by whatever `enter` does, and opens the page they came for. */
export function useEntry<Values>(enter: (values: Values) => Promise<Me>, next: string) {
  const queries = useQueryClient();
  const router = useRouter();
  const { mutate, isPending, error } = useMutation({
    mutationFn: enter,
    onSuccess: (me) => {
      queries.clear();
      signInEnded.set(false);
      queries.setQueryData(meQuery.queryKey, me);
      router.history.push(next);
    },
  });
  const fields = error instanceof Refusal ? error.fields : {};
  return { enter: mutate, isPending, error, fields };
}
