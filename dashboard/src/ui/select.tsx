import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { CONTROL } from "./control.ts";

/** The browser's own list to choose from, which every phone and screen reader knows, in our dress. */
export function Select({ className = "", ...rest }: ComponentProps<"select">) {
  return (
    <span className={`relative block ${className}`}>
      <select {...rest} className={`${CONTROL} h-10 appearance-none truncate pr-9`} />
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-3 right-3 size-4 text-ink-soft" />
    </span>
  );
}
