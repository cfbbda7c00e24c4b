import { confirmSecondFactor, startSecondFactor } from "@parley/contract/routes/sign-in-security";
import type { SecondFactorSecret } from "@parley/contract/sign-in-security";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { encode } from "uqr";
import { ApiError } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { CodeField, PasswordField } from "../../sign-in/credential-fields.tsx";

/** Sets up an authenticator app in three steps: the password, a first code, the recovery codes. */
export function EnrolDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const finish = async () => {
    onClose();
    await queries.invalidateQueries();
  };
  return (
    <Dialog
      isOpen
      isSticky={codes !== null}
      onClose={onClose}
      title="Set up two-factor authentication"
      lead={
        codes ? "It is on. Every other session of yours has ended." : "You need an authenticator app on your phone."
      }
    >
      {codes ? (
        <RecoveryCodeList codes={codes} onClose={() => void finish()} />
      ) : secret ? (
        <ConfirmStep secret={secret} onConfirmed={setCodes} onClose={onClose} />
      ) : (
        <PasswordStep onStarted={setSecret} onClose={onClose} />
      )}
    </Dialog>
  );
}

function PasswordStep({ onStarted, onClose }: { onStarted(secret: SecondFactorSecret): void; onClose(): void }) {
  const { register, handleSubmit } = useForm<{ password: string }>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: { password: string }) => send(startSecondFactor, { body }),
    onSuccess: onStarted,
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
      <FormError error={error} named={["password"]} />
      <PasswordField label="Your password" error={fields["password"]} {...register("password")} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isPending}>
          Continue
        </Button>
      </DialogActions>
    </form>
  );
}

interface ConfirmStepProps {
  readonly secret: SecondFactorSecret;
  onConfirmed(codes: readonly string[]): void;
  onClose(): void;
}

function ConfirmStep({ secret, onConfirmed, onClose }: ConfirmStepProps) {
  const { register, handleSubmit } = useForm<{ code: string }>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: { code: string }) => send(confirmSecondFactor, { body }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
      <FormError error={error} named={["code"]} />
      <p className="text-sm">Scan this with the app, or type the key below into it. It is shown this once.</p>
      <QrCode text={secret.uri} />
      <CopyField label="Key" value={secret.secret} shown={secret.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")} />
      <CodeField
        isFocused
        label="Code from the app"
        hint="The six digits the app shows now."
        error={fields["code"]}
        {...register("code")}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isPending}>
          Turn on
        </Button>
      </DialogActions>
    </form>
  );
}

/** Dark on white in every theme, because not all apps read the reverse, with the four modules of quiet zone that ISO 18004 asks for. */
function QrCode({ text }: { readonly text: string }) {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      role="img"
      aria-label="QR code of the key below"
      viewBox={`0 0 ${size} ${size}`}
      className="mx-auto size-48 rounded-lg bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The only time recovery codes can be seen. */
export function RecoveryCodeList({ codes, onClose }: { readonly codes: readonly string[]; onClose(): void }) {
  return (
    <>
      <div className="space-y-5">
        <Notice tone="warning">
          Keep these recovery codes somewhere safe, apart from your phone. Each signs you in once when the device is
          lost. They cannot be shown again.
        </Notice>
        <CopyField label="Recovery codes" value={codes.join("\n")} isLong />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogActions>
    </>
  );
}
