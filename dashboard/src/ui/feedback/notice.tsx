import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError, errorText } from "../../api/api-error.ts";
import { Button } from "../forms/button.tsx";
import { uiText } from "../text.ts";

interface NoticeProps {
  readonly tone: "danger" | "warning" | "accent";
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

const TONES = {
  danger: "bg-danger-soft text-danger-text",
  warning: "bg-warning-soft text-warning-text",
  accent: "bg-accent-soft text-accent-text",
} as const;

/** A prominent message. Errors are announced to screen readers immediately. */
export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = tone === "accent" ? Info : CircleAlert;
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={`flex items-start gap-3 rounded-xl px-4 py-3 text-sm ${TONES[tone]}`}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 flex-1 break-words">{children}</div>
      {action}
    </div>
  );
}

/** Why something could not be loaded, with a way to try again. */
export function LoadError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  const retry = (
    <Button size="small" onClick={() => void onRetry()}>
      {uiText.tryAgain}
    </Button>
  );
  return (
    <Notice tone="danger" action={retry}>
      {errorText(error)}
    </Notice>
  );
}

/** Shows why a form was rejected, unless every field concerned already shows its own error. */
export function FormError({ error, named = [] }: { readonly error: unknown; readonly named?: readonly string[] }) {
  if (!error) return null;
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  if (fields.length > 0 && fields.every((field) => named.includes(field))) return null;
  return <Notice tone="danger">{errorText(error)}</Notice>;
}
