import type { Me } from "@parley/contract/accounts";
import { signInWithCode } from "@parley/contract/routes/sign-in-security";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { Refused } from "../../ui/refused.tsx";
import { CodeField } from "./entry-fields.tsx";

interface CodeStepProps {
  readonly challenge: string;
  onEntered(me: Me): void;
  /** The buttons below the field. */
  children(isBusy: boolean): ReactNode;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function CodeStep({ challenge, onEntered, children }: CodeStepProps) {
  const { register, handleSubmit } = useForm<{ code: string }>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ code }: { code: string }) => send(signInWithCode, { body: { challenge, code } }),
    onSuccess: onEntered,
  });
  return (
    <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
      <Refused error={error} />
      <CodeField isFocused {...register("code")} />
      {children(isPending)}
    </form>
  );
}
