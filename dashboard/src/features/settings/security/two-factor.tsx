import {
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
} from "@parley/contract/routes/sign-in-security";
import type { SecondFactor, SecondFactorSecret } from "@parley/contract/sign-in-security";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { encode } from "uqr";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { CodeField, PasswordField } from "../../sign-in/credential-fields.tsx";
import { securityText } from "./text.tsx";

const secondFactorQuery = queryOptions({
  queryKey: ["second-factor"],
  queryFn: ({ signal }) => send(getSecondFactor, { signal }),
});

const FEW_CODES = 3;

/** Whether signing in requires a code in addition to the password, and all related actions. */
export function TwoFactor() {
  const { data: factor, error } = useQuery(secondFactorQuery);
  const [open, setOpen] = useState<"enrol" | "codes" | "off" | null>(null);
  const close = () => setOpen(null);
  return (
    <Card
      title={securityText.twoFactorAuthentication}
      aside={
        factor?.state === "on" ? (
          <Badge tone="accent">{securityText.on}</Badge>
        ) : factor ? (
          <Badge>{securityText.off}</Badge>
        ) : null
      }
    >
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {factor || error ? null : <SkeletonRows count={2} label={securityText.loadingTwoFactor} />}
      {factor?.state === "on" ? (
        <TurnedOn factor={factor} onCodes={() => setOpen("codes")} onOff={() => setOpen("off")} />
      ) : null}
      {factor && factor.state !== "on" ? (
        <div className="space-y-4 text-sm">
          {factor.state === "required" ? <Notice tone="warning">{securityText.operatorsNeedIt}</Notice> : null}
          <p>{securityText.whyTwoFactor}</p>
          <Button look="primary" onClick={() => setOpen("enrol")}>
            <ShieldCheck aria-hidden="true" />
            {securityText.setUp}
          </Button>
        </div>
      ) : null}
      {open === "enrol" ? <EnrolDialog onClose={close} /> : null}
      {open === "codes" ? <ProofDialog purpose="codes" onClose={close} /> : null}
      {open === "off" ? <ProofDialog purpose="off" onClose={close} /> : null}
    </Card>
  );
}

interface TurnedOnProps {
  readonly factor: SecondFactor;
  onCodes(): void;
  onOff(): void;
}

function TurnedOn({ factor, onCodes, onOff }: TurnedOnProps) {
  const { enabledAt, recoveryCodesLeft: left } = factor;
  return (
    <div className="space-y-4 text-sm">
      <p>{securityText.turnedOn(enabledAt ? <time dateTime={enabledAt}>{formatFull(enabledAt)}</time> : null, left)}</p>
      {left <= FEW_CODES ? <Notice tone="warning">{securityText.fewCodesLeft}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onCodes}>{securityText.newRecoveryCodes}</Button>
        <Button onClick={onOff}>{securityText.turnOff}</Button>
      </div>
    </div>
  );
}

interface Values {
  password: string;
  code: string;
}

const WORDS = {
  codes: {
    title: securityText.newRecoveryCodes,
    lead: securityText.newCodesLead,
    action: securityText.createNewCodes,
  },
  off: {
    title: securityText.turnOffQuestion,
    lead: securityText.turnOffConsequence,
    action: securityText.turnOff,
  },
} as const;

interface ProofDialogProps {
  readonly purpose: keyof typeof WORDS;
  onClose(): void;
}

/** Asks for the password and a code before recovery codes are replaced or the second factor is turned off. */
function ProofDialog({ purpose, onClose }: ProofDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { register, handleSubmit } = useForm<Values>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: Values) => {
      if (purpose === "codes") return (await send(replaceRecoveryCodes, { body })).recoveryCodes;
      await send(disableSecondFactor, { body });
      return null;
    },
    onSuccess: async (made) => {
      setCodes(made);
      if (!made) {
        toast({ text: securityText.turnedOff });
        onClose();
      }
      await queries.invalidateQueries();
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  const { title, lead, action } = WORDS[purpose];
  return (
    <Dialog isOpen isSticky={codes !== null} onClose={onClose} title={title} lead={lead}>
      {codes ? (
        <RecoveryCodeList codes={codes} onClose={onClose} />
      ) : (
        <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
          <FormError error={error} named={["password", "code"]} />
          <PasswordField label={securityText.yourPassword} error={fields["password"]} {...register("password")} />
          <CodeField error={fields["code"]} {...register("code")} />
          <DialogActions>
            <Button onClick={onClose}>{securityText.cancel}</Button>
            <Button type="submit" look={purpose === "off" ? "danger" : "primary"} isBusy={isPending}>
              {action}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

/** Sets up an authenticator app in three steps: the password, a first code, the recovery codes. */
function EnrolDialog({ onClose }: { onClose(): void }) {
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
      title={securityText.setUpTitle}
      lead={codes ? securityText.setUpDone : securityText.setUpLead}
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
      <PasswordField label={securityText.yourPassword} error={fields["password"]} {...register("password")} />
      <DialogActions>
        <Button onClick={onClose}>{securityText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isPending}>
          {securityText.continueLabel}
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
      <p className="text-sm">{securityText.scanCode}</p>
      <QrCode text={secret.uri} />
      <CopyField
        label={securityText.key}
        value={secret.secret}
        shown={secret.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
      />
      <CodeField
        isFocused
        label={securityText.codeFromTheApp}
        hint={securityText.codeHint}
        error={fields["code"]}
        {...register("code")}
      />
      <DialogActions>
        <Button onClick={onClose}>{securityText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isPending}>
          {securityText.turnOn}
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
      aria-label={securityText.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      className="mx-auto size-48 rounded-lg bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The only time recovery codes can be seen. */
function RecoveryCodeList({ codes, onClose }: { readonly codes: readonly string[]; onClose(): void }) {
  return (
    <>
      <div className="space-y-5">
        <Notice tone="warning">{securityText.keepRecoveryCodes}</Notice>
        <CopyField label={securityText.recoveryCodes} value={codes.join("\n")} isLong />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {securityText.codesKept}
        </Button>
      </DialogActions>
    </>
  );
}
