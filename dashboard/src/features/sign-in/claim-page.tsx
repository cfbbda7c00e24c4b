import { claimAccount } from "@parley/contract/routes/members";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError, Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { EmailField, NewPasswordField } from "./credential-fields.tsx";
import { SignInCard, TEXT_LINK, useSignIn } from "./sign-in-card.tsx";
import { signInText } from "./text.tsx";

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
      title={invited ? signInText.joinTheAccount : signInText.claimYourAccount}
      lead={invited ? signInText.joinLead : signInText.claimLead}
      foot={
        <Link to="/sign-in" className={TEXT_LINK}>
          {signInText.signInInstead}
        </Link>
      }
    >
      {token ? (
        <form className="space-y-4" onSubmit={handleSubmit((values) => enter(values))}>
          <FormError error={error} named={["email", "password"]} />
          {invited ? null : <EmailField error={fields["email"]} {...register("email")} />}
          <NewPasswordField error={fields["password"]} {...register("password")} />
          <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
            {invited ? signInText.joinTheAccount : signInText.claimYourAccount}
          </Button>
        </form>
      ) : (
        <Notice tone="warning">{signInText.linkIncomplete}</Notice>
      )}
    </SignInCard>
  );
}
