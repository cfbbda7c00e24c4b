import type { Me } from "@parley/contract/accounts";
import { signIn } from "@parley/contract/routes/members";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { meQuery, signInEnded } from "../../api/sign-in-state.ts";
import { FormError } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Dialog, DialogActions } from "../../ui/layout/dialog.tsx";
import { CodeStep, EmailField, PasswordField } from "./credential-fields.tsx";
import { signInText } from "./text.tsx";

interface Values {
  email: string;
  password: string;
}

/** A dialog over the page that was open when the session ended: the page is kept, with what was typed. */
export function SignInAgain() {
  const queries = useQueryClient();
  const router = useRouter();
  const before = queries.getQueryData(meQuery.queryKey);
  const { register, handleSubmit } = useForm<Values>({ defaultValues: { email: before?.member.email ?? "" } });
  const [challenge, setChallenge] = useState<string | null>(null);
  const goOn = async (me: Me) => {
    // Another member must not see anything of the previous one: the page is reloaded.
    if (me.member.id !== before?.member.id) return location.assign("/");
    // A reply to a request from before the sign-in would end it again.
    await queries.cancelQueries();
    queries.setQueryData(meQuery.queryKey, me);
    signInEnded.set(false);
    await queries.invalidateQueries();
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Values) => send(signIn, { body }),
    onSuccess: (outcome) => ("challenge" in outcome ? setChallenge(outcome.challenge) : goOn(outcome)),
  });
  const leave = async () => {
    queries.removeQueries(meQuery);
    signInEnded.set(false);
    await router.navigate({ to: "/sign-in" });
    queries.clear();
  };
  const fields = error instanceof ApiError ? error.fields : {};
  const actions = (isBusy: boolean) => (
    <DialogActions>
      <Button onClick={() => void leave()}>{signInText.leave}</Button>
      <Button type="submit" look="primary" isBusy={isBusy}>
        {signInText.signIn}
      </Button>
    </DialogActions>
  );
  return (
    <Dialog isOpen isSticky onClose={() => undefined} title={signInText.signInAgain} lead={signInText.signInEnded}>
      {challenge ? (
        <CodeStep challenge={challenge} onEntered={(me) => void goOn(me)}>
          {actions}
        </CodeStep>
      ) : (
        <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
          <FormError error={error} named={["email", "password"]} />
          <EmailField required error={fields["email"]} {...register("email")} />
          <PasswordField error={fields["password"]} {...register("password")} />
          {actions(isPending)}
        </form>
      )}
    </Dialog>
  );
}
