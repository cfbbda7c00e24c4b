import { PASSWORD_CHARS_MIN } from "@parley/contract/accounts";
import type { ComponentProps } from "react";
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
