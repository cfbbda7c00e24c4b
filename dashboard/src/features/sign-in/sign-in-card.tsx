import type { Me, SignInOutcome } from "@parley/contract/accounts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { meQuery, signInEnded } from "../../api/sign-in-state.ts";

interface SignInCardProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

/** The frame of the pages before signing in. */
export function SignInCard({ title, lead, children, foot }: SignInCardProps) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-10">
      <div className="mb-8 flex items-center justify-center gap-2.5 text-lg font-semibold tracking-tight">
        <img src="/icon.svg" alt="" className="size-8" />
        Parley
      </div>
      <div className="rounded-2xl border border-line bg-surface p-6 shadow-sm sm:p-8">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-1 mb-6 text-sm text-ink-soft">{lead}</p>
        {children}
      </div>
      {foot ? <p className="mt-6 text-center text-sm text-ink-soft">{foot}</p> : null}
    </main>
  );
}

export const TEXT_LINK = "font-medium text-accent-text underline underline-offset-4";

/** Signs in through `enter` and opens the requested page; or returns the challenge that awaits a code. */
export function useSignIn<Values>(enter: (values: Values) => Promise<SignInOutcome>, next: string) {
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
  const fields = error instanceof ApiError ? error.fields : {};
  return { enter: mutate, isPending, error, fields, challenge, enterAs, startOver: () => setChallenge(null) };
}
