import { signIn } from "@parley/contract/routes/members";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { CodeStep, EmailField, PasswordField } from "./credential-fields.tsx";
import { SignInCard, TEXT_LINK, useSignIn } from "./sign-in-card.tsx";
import { signInText } from "./text.tsx";

interface Values {
  email: string;
  password: string;
}

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { next = "/" } = route.useSearch();
  const { register, handleSubmit } = useForm<Values>();
  const { enter, isPending, error, fields, challenge, enterAs, startOver } = useSignIn(
    (body: Values) => send(signIn, { body }),
    next,
  );
  if (challenge) {
    return (
      <SignInCard title={signInText.enterYourCode} lead={signInText.codeLead}>
        <CodeStep challenge={challenge} onEntered={enterAs}>
          {(isBusy) => (
            <>
              <Button type="submit" look="primary" className="w-full" isBusy={isBusy}>
                {signInText.signIn}
              </Button>
              <Button look="quiet" className="w-full" onClick={startOver}>
                {signInText.startOver}
              </Button>
            </>
          )}
        </CodeStep>
      </SignInCard>
    );
  }
  return (
    <SignInCard
      title={signInText.signIn}
      lead={signInText.welcomeBack}
      foot={signInText.newHere((label) => (
        <Link to="/sign-up" className={TEXT_LINK}>
          {label}
        </Link>
      ))}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => enter(values))}>
        <FormError error={error} named={["email", "password"]} />
        <EmailField required error={fields["email"]} {...register("email")} />
        <PasswordField error={fields["password"]} {...register("password")} />
        <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
          {signInText.signIn}
        </Button>
        <p className="text-center text-sm">
          <Link to="/reset" className={TEXT_LINK}>
            {signInText.forgotPassword}
          </Link>
        </p>
      </form>
    </SignInCard>
  );
}
