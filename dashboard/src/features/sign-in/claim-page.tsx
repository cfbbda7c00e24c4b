import { claimAccount } from "@parley/contract/routes/members";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { EmailField, NewPasswordField } from "./credential-fields.tsx";
import { LinkGate, useOpenLink } from "./open-link.tsx";
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
  const state = useOpenLink(token, ["claim", "invite"]);
  const isInvited = state.link ? state.link.kind === "invite" : invited === "yes";
  const title = isInvited ? signInText.joinTheAccount : signInText.claimYourAccount;
  return (
    <SignInCard
      title={title}
      lead={isInvited ? signInText.joinLead : signInText.claimLead}
      foot={
        <Link to="/sign-in" className={TEXT_LINK}>
          {signInText.signInInstead}
        </Link>
      }
    >
      <LinkGate state={state} renewal={isInvited ? signInText.askForInvitation : signInText.askForClaimLink}>
        {({ email }) => <ClaimForm token={token ?? ""} email={email} action={title} />}
      </LinkGate>
    </SignInCard>
  );
}

interface ClaimFormProps {
  readonly token: string;
  /** Null if the member chooses it here. */
  readonly email: string | null;
  readonly action: string;
}

function ClaimForm({ token, email, action }: ClaimFormProps) {
  const { register, handleSubmit } = useForm<Values>();
  const { enter, isPending, error, fields } = useSignIn((values: Values) => {
    const { password } = values;
    return send(claimAccount, { body: { token, password, ...(email === null ? { email: values.email } : {}) } });
  }, "/");
  return (
    <form className="space-y-4" onSubmit={handleSubmit((values) => enter(values))}>
      <FormError error={error} named={email === null ? ["email", "password"] : ["password"]} />
      {email === null ? (
        <EmailField required error={fields["email"]} {...register("email")} />
      ) : (
        <p className="text-sm">{signInText.signInAs(<b className="font-medium break-words">{email}</b>)}</p>
      )}
      <NewPasswordField error={fields["password"]} {...register("password")} />
      <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
        {action}
      </Button>
    </form>
  );
}
