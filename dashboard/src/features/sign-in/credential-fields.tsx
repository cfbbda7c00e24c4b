import { type Me, PASSWORD_CHARS_MIN } from "@parley/contract/accounts";
import { signInWithCode } from "@parley/contract/routes/sign-in-security";
import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { FormError } from "../../ui/feedback/notice.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { signInText } from "./text.tsx";

type EntryFieldProps = Omit<ComponentProps<typeof TextField>, "label" | "type" | "autoComplete" | "hint"> & {
  readonly label?: string;
};

export function EmailField({ label = signInText.email, ...rest }: EntryFieldProps) {
  return <TextField label={label} type="email" autoComplete="username" {...rest} />;
}

/** The current password. */
export function PasswordField({ label = signInText.password, ...rest }: EntryFieldProps) {
  return <TextField label={label} type="password" autoComplete="current-password" required {...rest} />;
}

/** A new password. */
export function NewPasswordField({ label = signInText.password, ...rest }: EntryFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      required
      hint={signInText.passwordHint(PASSWORD_CHARS_MIN)}
      {...rest}
    />
  );
}

type CodeFieldProps = Omit<EntryFieldProps, "ref"> & {
  readonly hint?: string;
  /** Whether it takes the focus when it replaces another field. */
  readonly isFocused?: boolean;
};

/** A code of the second factor. */
export function CodeField({ label = signInText.code, isFocused = false, ...rest }: CodeFieldProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFocused) frame.current?.querySelector("input")?.focus();
  }, [isFocused]);
  return (
    <div ref={frame}>
      <TextField
        label={label}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint={signInText.codeHint}
        {...rest}
      />
    </div>
  );
}

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
      <FormError error={error} />
      <CodeField isFocused {...register("code")} />
      {children(isPending)}
    </form>
  );
}
