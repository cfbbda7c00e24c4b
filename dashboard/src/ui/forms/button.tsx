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
  return `inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition select-none aria-disabled:cursor-default aria-disabled:opacity-55 [&_svg]:size-4 ${LOOKS[look]} ${SIZES[size]}`;
}

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** Disables the button while its request is running. */
  readonly isBusy?: boolean;
}

/**
 * A button that is off uses aria-disabled instead of the disabled attribute, because a disabled button loses the keyboard
 * focus. It does not submit its form either, since Enter in a field clicks the button.
 */
export function Button({ look, size, isBusy = false, className = "", disabled, type, onClick, ...rest }: ButtonProps) {
  const look_ = { ...(look ? { look } : {}), ...(size ? { size } : {}) };
  const isOff = disabled === true || isBusy;
  return (
    <button
      {...rest}
      type={type ?? "button"}
      onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy}
      className={`${buttonClass(look_)} ${className}`}
    />
  );
}
