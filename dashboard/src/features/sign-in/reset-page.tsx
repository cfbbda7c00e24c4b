import { resetPassword } from "@parley/contract/routes/members";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { ApiError } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { FormError, Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { EmailField, NewPasswordField } from "./credential-fields.tsx";
import { SignInCard, TEXT_LINK } from "./sign-in-card.tsx";
import { signInText } from "./text.tsx";

const route = getRouteApi("/reset");

/** Requests a link by mail; the link leads back here and sets a new password. */
export function ResetPage() {
  const { token } = route.useSearch();
  const { register, handleSubmit } = useForm<{ email: string; password: string }>();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) =>
      send(resetPassword, { body: token ? { token, password } : { email } }),
  });
  const fields = error instanceof ApiError ? error.fields : {};
  const done = token ? signInText.passwordChanged : signInText.resetLinkSent;
  return (
    <SignInCard
      title={token ? signInText.chooseNewPassword : signInText.forgotPassword}
      lead={token ? signInText.resetEndsSignIns : signInText.resetLead}
      foot={
        <Link to="/sign-in" className={TEXT_LINK}>
          {signInText.signIn}
        </Link>
      }
    >
      {isSuccess ? (
        <Notice tone="accent">{done}</Notice>
      ) : (
        <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
          <FormError error={error} named={["email", "password"]} />
          {token ? (
            <NewPasswordField label={signInText.newPassword} error={fields["password"]} {...register("password")} />
          ) : (
            <EmailField required error={fields["email"]} {...register("email")} />
          )}
          <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
            {token ? signInText.setPassword : signInText.sendLink}
          </Button>
        </form>
      )}
    </SignInCard>
  );
}
