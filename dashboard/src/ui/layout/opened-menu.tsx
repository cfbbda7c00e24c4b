import { DropdownMenu } from "radix-ui";
import { type FocusEvent, type ReactNode, useRef } from "react";

interface OpenedMenuProps {
  readonly trigger: ReactNode;
  readonly openedBy: "pointer" | "key";
  children(parts: typeof DropdownMenu): ReactNode;
}

/** A menu from its first opening on. It is not modal: Radix's scroll lock inserts a style element that the content security policy forbids. */
export function OpenedMenu({ trigger, openedBy, children }: OpenedMenuProps) {
  // Radix was not there to see the key that opened the menu, and then leaves the focus at the menu itself.
  const entersFirstItem = useRef(openedBy === "key");
  const enter = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!entersFirstItem.current || target !== currentTarget) return;
    entersFirstItem.current = false;
    currentTarget.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus();
  };
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          onFocus={enter}
          className="z-50 min-w-56 rounded-xl border border-line bg-surface p-1.5 shadow-lg"
        >
          {children(DropdownMenu)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
