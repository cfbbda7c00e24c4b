import type { ComponentProps } from "react";

const LOOKS = {
  primary: "bg-accent text-accent-ink hover:brightness-110",
  secondary: "border border-line-strong/50 bg-surface text-ink hover:bg-sunken",
  quiet: "text-ink-soft hover:bg-sunken hover:text-ink",
  danger: "bg-danger text-danger-ink hover:brightness-110",
} as const;
const SIZES = { medium: "h-10 px-4", small: "h-8 px-3 text-sm", icon: "size-10", smallIcon: "size-8" } as const;

export interface ButtonLook {
  readonly look?: keyof typeof LOOKS;
  readonly size?: keyof typeof SIZES;
}

export function buttonClass({ look = "secondary", size = "medium" }: ButtonLook = {}): string {
  return `inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition select-none disabled:opacity-55 [&_svg]:size-4 ${LOOKS[look]} ${SIZES[size]}`;
}

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** While what it started is under way it cannot be started again. */
  readonly isBusy?: boolean;
}

export function Button({ look, size, isBusy = false, className = "", disabled, type, ...rest }: ButtonProps) {
  const look_ = { ...(look ? { look } : {}), ...(size ? { size } : {}) };
  return (
    <button
      {...rest}
      type={type ?? "button"}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
      className={`${buttonClass(look_)} ${className}`}
    />
  );
}
