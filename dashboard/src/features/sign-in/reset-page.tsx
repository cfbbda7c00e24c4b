import { resetPassword } from "@parley/contract/routes/members";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { ApiError } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { FormError, Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { EmailField, NewPasswordField } from "./credential-fields.tsx";
import { LinkGate, useOpenLink } from "./open-link.tsx";
import { SignInCard, TEXT_LINK } from "./sign-in-card.tsx";
import { signInText } from "./text.tsx";

const route = getRouteApi("/reset");

/** Requests a link by mail; the link leads back here and sets a new password. */
export function ResetPage() {
  const { token } = route.useSearch();
  // Following the offer of a new link starts over.
  return token ? <NewPassword key="password" token={token} /> : <LinkRequest key="request" />;
}

const toSignIn = (
  <Link to="/sign-in" className={TEXT_LINK}>
    {signInText.signIn}
  </Link>
);

function LinkRequest() {
  const { register, handleSubmit } = useForm<{ email: string }>();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ email }: { email: string }) => send(resetPassword, { body: { email } }),
  });
  return (
    <SignInCard title={signInText.forgotPassword} lead={signInText.resetLead} foot={toSignIn}>
      {isSuccess ? (
        <Notice tone="accent">{signInText.resetLinkSent}</Notice>
      ) : (
        <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
          <FormError error={error} named={["email"]} />
          <EmailField required error={fieldsOf(error)["email"]} {...register("email")} />
          <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
            {signInText.sendLink}
          </Button>
        </form>
      )}
    </SignInCard>
  );
}

function NewPassword({ token }: { readonly token: string }) {
  const state = useOpenLink(token, ["reset"]);
  const { register, handleSubmit } = useForm<{ password: string }>();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ password }: { password: string }) => send(resetPassword, { body: { token, password } }),
  });
  const renewal = (
    <Link to="/reset" className="font-medium underline underline-offset-4">
      {signInText.requestNewLink}
    </Link>
  );
  return (
    <SignInCard title={signInText.chooseNewPassword} lead={signInText.resetEndsSignIns} foot={toSignIn}>
      {isSuccess ? (
        <Notice tone="accent">{signInText.passwordChanged}</Notice>
      ) : (
        <LinkGate state={state} renewal={renewal}>
          {() => (
            <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
              <FormError error={error} named={["password"]} />
              <NewPasswordField
                label={signInText.newPassword}
                error={fieldsOf(error)["password"]}
                {...register("password")}
              />
              <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
                {signInText.setPassword}
              </Button>
            </form>
          )}
        </LinkGate>
      )}
    </SignInCard>
  );
}

function fieldsOf(error: unknown): ApiError["fields"] {
  return error instanceof ApiError ? error.fields : {};
}
