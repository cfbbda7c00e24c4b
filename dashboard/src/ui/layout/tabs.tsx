import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id ?? ""}>
      <Radix.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line px-4 sm:px-5">
        {tabs.map(({ id, label: name }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mx-1.5 h-12 shrink-0 rounded-t-md px-1.5 outline-offset-[-2px] border-b-2 border-transparent text-sm text-ink-soft data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="outline-offset-[-2px]">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
