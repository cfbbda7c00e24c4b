import { signUp } from "@parley/contract/routes/members";
import { Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { EmailField, NewPasswordField } from "./credential-fields.tsx";
import { SignInCard, TEXT_LINK, useSignIn } from "./sign-in-card.tsx";
import { signInText } from "./text.tsx";

interface Values {
  email: string;
  password: string;
  accountName: string;
}

export function SignUpPage() {
  const { register, handleSubmit } = useForm<Values>();
  const { enter, isPending, error, fields } = useSignIn(({ accountName, ...rest }: Values) => {
    const name = accountName.trim();
    return send(signUp, { body: { ...rest, ...(name ? { accountName: name } : {}) } });
  }, "/");
  return (
    <SignInCard
      title={signInText.createAccount}
      lead={signInText.signUpLead}
      foot={signInText.signInOffer((label) => (
        <Link to="/sign-in" className={TEXT_LINK}>
          {label}
        </Link>
      ))}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => enter(values))}>
        <FormError error={error} named={["email", "password", "accountName"]} />
        <EmailField required error={fields["email"]} {...register("email")} />
        <NewPasswordField error={fields["password"]} {...register("password")} />
        <TextField
          label={signInText.accountName}
          autoComplete="organization"
          maxLength={120}
          error={fields["accountName"]}
          {...register("accountName")}
        />
        <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
          {signInText.createAccount}
        </Button>
      </form>
    </SignInCard>
  );
}
