import type { Me, SignInOutcome } from "@parley/contract/accounts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Refusal } from "../../api/refusal.ts";
import { meQuery, signInEnded } from "../../api/sign-in-state.ts";

/** Signs somebody in by whatever `enter` does, and opens the page they came for; or says which challenge awaits a code. */
export function useEntry<Values>(enter: (values: Values) => Promise<SignInOutcome>, next: string) {
  const queries = useQueryClient();
  const router = useRouter();
  const [challenge, setChallenge] = useState<string | null>(null);
  const enterAs = (me: Me) => {
    queries.clear();
    signInEnded.set(false);
    queries.setQueryData(meQuery.queryKey, me);
    router.history.push(next);
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: enter,
    onSuccess: (outcome) => ("challenge" in outcome ? setChallenge(outcome.challenge) : enterAs(outcome)),
  });
  const fields = error instanceof Refusal ? error.fields : {};
  return { enter: mutate, isPending, error, fields, challenge, enterAs, startOver: () => setChallenge(null) };
}
