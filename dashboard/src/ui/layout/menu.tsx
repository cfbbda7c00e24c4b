import { Check } from "lucide-react";
import type { DropdownMenu } from "radix-ui";
import {
  type ComponentProps,
  cloneElement,
  createContext,
  lazy,
  type ReactElement,
  type ReactNode,
  startTransition,
  useContext,
  useState,
} from "react";

const ITEM =
  "flex h-9 cursor-default items-center gap-2 rounded-md px-2.5 text-sm outline-offset-[-2px] select-none data-highlighted:bg-sunken [&_svg]:size-4";

type Parts = typeof DropdownMenu;
const PartsContext = createContext<Parts | null>(null);

/** The parts of an open menu, which are loaded when the first is opened: only open menus render their items. */
function useParts(): Parts {
  const parts = useContext(PartsContext);
  if (parts === null) throw new Error("an item of a menu is outside of one");
  return parts;
}

const load = () => import("./opened-menu.tsx");
const OpenedMenu = lazy(async () => ({ default: (await load()).OpenedMenu }));
const OPENING_KEYS = new Set(["Enter", " ", "ArrowDown"]);

interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<"button">>;
  readonly children: ReactNode;
}

/** A menu below its trigger. Until it is first opened there is only the trigger, so that a page with many menus costs no more than its buttons. */
export function Menu({ trigger, children }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<"pointer" | "key" | null>(null);
  if (openedBy !== null) {
    return (
      <OpenedMenu trigger={trigger} openedBy={openedBy}>
        {(parts) => <PartsContext value={parts}>{children}</PartsContext>}
      </OpenedMenu>
    );
  }
  // In a transition the trigger stays, and keeps the focus, while the menu is loaded.
  const open = (by: "pointer" | "key") => startTransition(() => setOpenedBy(by));
  const preload = () => {
    // A failure is reported when the menu is opened.
    load().catch(() => undefined);
  };
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => open("pointer"),
    onKeyDown: (event) => {
      if (!OPENING_KEYS.has(event.key)) return;
      event.preventDefault();
      open("key");
    },
  });
}

export function MenuItem({ onChoose, children }: { readonly children: ReactNode; onChoose(): void }) {
  const { Item } = useParts();
  return (
    <Item className={ITEM} onSelect={onChoose}>
      {children}
    </Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  const { Label } = useParts();
  return <Label className="px-2.5 py-1.5 text-xs text-ink-soft">{children}</Label>;
}

export function MenuLine() {
  const { Separator } = useParts();
  return <Separator className="my-1.5 h-px bg-line" />;
}

interface MenuChoiceProps<Value extends string> {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  onChoose(value: Value): void;
}

/** A radio item; the selected one has a check mark. */
export function MenuChoice<Value extends string>({ value, choices, onChoose }: MenuChoiceProps<Value>) {
  const { RadioGroup, RadioItem, ItemIndicator } = useParts();
  return (
    <RadioGroup value={value} onValueChange={(next) => onChoose(next as Value)}>
      {choices.map((choice) => (
        <RadioItem key={choice.value} value={choice.value} className={ITEM}>
          <span className="flex-1">{choice.label}</span>
          <ItemIndicator>
            <Check aria-hidden="true" />
          </ItemIndicator>
        </RadioItem>
      ))}
    </RadioGroup>
  );
}

interface MenuCheckProps {
  readonly isChecked: boolean;
  readonly children: ReactNode;
  onToggle(isChecked: boolean): void;
}

/** An item that is switched on or off. The menu stays open, so that several can be switched. */
export function MenuCheck({ isChecked, children, onToggle }: MenuCheckProps) {
  const { CheckboxItem, ItemIndicator } = useParts();
  return (
    <CheckboxItem
      checked={isChecked}
      onCheckedChange={onToggle}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="flex-1">{children}</span>
      <ItemIndicator>
        <Check aria-hidden="true" />
      </ItemIndicator>
    </CheckboxItem>
  );
}
