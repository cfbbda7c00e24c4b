import { claimAccount } from "@parley/contract/routes/members";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError, Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { EmailField, NewPasswordField } from "./credential-fields.tsx";
import { SignInCard, TEXT_LINK, useSignIn } from "./sign-in-card.tsx";

interface Values {
  email: string;
  password: string;
}

const route = getRouteApi("/claim");

/** The target of the link of a first start and of an invitation. */
export function ClaimPage() {
  const { token, invited } = route.useSearch();
  const { register, handleSubmit } = useForm<Values>();
  const { enter, isPending, error, fields } = useSignIn(({ email, password }: Values) => {
    return send(claimAccount, { body: { token: token ?? "", password, ...(email ? { email } : {}) } });
  }, "/");
  return (
    <SignInCard
      title={invited ? "Join the account" : "Claim your account"}
      lead={
        invited
          ? "You were invited. Choose the password you will sign in with, together with the e-mail the invitation went to."
          : "Choose the e-mail and password you will sign in with. If you were invited, leave the e-mail empty."
      }
      foot={
        <Link to="/sign-in" className={TEXT_LINK}>
          Sign in instead
        </Link>
      }
    >
      {token ? (
        <form className="space-y-4" onSubmit={handleSubmit((values) => enter(values))}>
          <FormError error={error} named={["email", "password"]} />
          {invited ? null : <EmailField error={fields["email"]} {...register("email")} />}
          <NewPasswordField error={fields["password"]} {...register("password")} />
          <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
            {invited ? "Join the account" : "Claim your account"}
          </Button>
        </form>
      ) : (
        <Notice tone="warning">This link is incomplete. Copy all of it and open it again.</Notice>
      )}
    </SignInCard>
  );
}
