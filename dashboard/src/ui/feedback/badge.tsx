import type { ReactNode } from "react";

const TONES = {
  neutral: "bg-sunken text-ink-soft",
  accent: "bg-accent-soft text-accent-text",
  success: "bg-success-soft text-success-text",
  danger: "bg-danger-soft text-danger-text",
  warning: "bg-warning-soft text-warning-text",
} as const;
export type Tone = keyof typeof TONES;

interface BadgeProps {
  readonly tone?: Tone;
  /** Shows a pulsing dot: the state is live. */
  readonly isLive?: boolean;
  readonly children: ReactNode;
}

export function Badge({ tone = "neutral", isLive = false, children }: BadgeProps) {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {isLive ? <span aria-hidden="true" className="size-1.5 animate-pulse rounded-full bg-current" /> : null}
      {children}
    </span>
  );
}
