import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";

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

/** A sentence that must be seen. What went wrong is also read out at once. */
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
