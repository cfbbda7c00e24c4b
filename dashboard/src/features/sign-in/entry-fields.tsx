import { PASSWORD_CHARS_MIN } from "@parley/contract/accounts";
import { type ComponentProps, useEffect, useRef } from "react";
import { TextField } from "../../ui/field.tsx";

type EntryFieldProps = Omit<ComponentProps<typeof TextField>, "label" | "type" | "autoComplete" | "hint"> & {
  readonly label?: string;
};

export function EmailField({ label = "E-mail", ...rest }: EntryFieldProps) {
  return <TextField label={label} type="email" autoComplete="username" {...rest} />;
}

/** The password that somebody has. */
export function PasswordField({ label = "Password", ...rest }: EntryFieldProps) {
  return <TextField label={label} type="password" autoComplete="current-password" required {...rest} />;
}

/** A password that is being chosen. */
export function NewPasswordField({ label = "Password", ...rest }: EntryFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      required
      hint={`At least ${PASSWORD_CHARS_MIN} characters. A few words are easier to remember than signs.`}
      {...rest}
    />
  );
}

type CodeFieldProps = Omit<EntryFieldProps, "ref"> & {
  readonly hint?: string;
  /** Whether whoever comes to it begins here: it takes the place of another field. */
  readonly isFocused?: boolean;
};

/** A code of the second factor. */
export function CodeField({ label = "Code", isFocused = false, ...rest }: CodeFieldProps) {
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
        hint="Six digits from your authenticator app, or one of your recovery codes."
        {...rest}
      />
    </div>
  );
}
