import { signIn } from "@parley/contract/routes/members";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { CodeStep, EmailField, PasswordField } from "./credential-fields.tsx";
import { SignInCard, TEXT_LINK, useSignIn } from "./sign-in-card.tsx";

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
      <SignInCard title="Enter your code" lead="Your account is protected by two-factor authentication.">
        <CodeStep challenge={challenge} onEntered={enterAs}>
          {(isBusy) => (
            <>
              <Button type="submit" look="primary" className="w-full" isBusy={isBusy}>
                Sign in
              </Button>
              <Button look="quiet" className="w-full" onClick={startOver}>
                Start over
              </Button>
            </>
          )}
        </CodeStep>
      </SignInCard>
    );
  }
  return (
    <SignInCard
      title="Sign in"
      lead="Welcome back."
      foot={
        <>
          New here?{" "}
          <Link to="/sign-up" className={TEXT_LINK}>
            Create an account
          </Link>
        </>
      }
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => enter(values))}>
        <FormError error={error} named={["email", "password"]} />
        <EmailField required error={fields["email"]} {...register("email")} />
        <PasswordField error={fields["password"]} {...register("password")} />
        <Button type="submit" look="primary" className="w-full" isBusy={isPending}>
          Sign in
        </Button>
        <p className="text-center text-sm">
          <Link to="/reset" className={TEXT_LINK}>
            Forgot the password?
          </Link>
        </p>
      </form>
    </SignInCard>
  );
}
