import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

const ITEM =
  "flex h-9 cursor-default items-center gap-2 rounded-md px-2.5 text-sm outline-offset-[-2px] select-none data-highlighted:bg-sunken [&_svg]:size-4";

/** A menu below its trigger. It is not modal: Radix's scroll lock inserts a style element that the content security policy forbids. */
export function Menu({ trigger, children }: { readonly trigger: ReactNode; readonly children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 min-w-56 rounded-xl border border-line bg-surface p-1.5 shadow-lg"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ onChoose, children }: { readonly children: ReactNode; onChoose(): void }) {
  return (
    <DropdownMenu.Item className={ITEM} onSelect={onChoose}>
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 py-1.5 text-xs text-ink-soft">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />;
}

interface MenuChoiceProps<Value extends string> {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  onChoose(value: Value): void;
}

/** A radio item; the selected one has a check mark. */
export function MenuChoice<Value extends string>({ value, choices, onChoose }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChoose(next as Value)}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={ITEM}>
          <span className="flex-1">{choice.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden="true" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

interface MenuCheckProps {
  readonly isChecked: boolean;
  readonly children: ReactNode;
  onToggle(isChecked: boolean): void;
}

/** An item that is switched on or off. The menu stays open, so that several can be switched. */
export function MenuCheck({ isChecked, children, onToggle }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={isChecked}
      onCheckedChange={onToggle}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="flex-1">{children}</span>
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden="true" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}
