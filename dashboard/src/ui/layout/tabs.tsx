import { type ReactNode, useId, useState } from "react";
import { moveFocus } from "../move-focus.ts";

/** What the ids of a tab and of its panel are made of. */
interface TabProps {
  /** Shared by the tabs that belong together, and unique on the page. */
  readonly name: string;
  readonly id: string;
}

const tabId = ({ name, id }: TabProps) => `${name}-tab-${id}`;
const panelId = ({ name, id }: TabProps) => `${name}-panel-${id}`;

/** Above a part of the page, or beside other controls at the top of a panel. */
const LOOKS = {
  page: { list: "gap-5 overflow-x-auto border-b border-line px-4 sm:px-5", tab: "-mx-1.5 h-12 rounded-t-md px-1.5" },
  panel: {
    list: "-mb-px min-w-0 flex-1 gap-3.5 overflow-x-auto overflow-y-hidden px-4 pb-px [scrollbar-width:none]",
    // The ring of the focus has room beside the words.
    tab: "-mx-1.5 -mb-px h-11 rounded-t-md px-1.5",
  },
} as const;

interface TabListProps<Id extends string> {
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: string }[];
  readonly chosen: Id;
  readonly look: keyof typeof LOOKS;
  onChoose(id: Id): void;
}

/** The titles of tabs. Arrow keys go from one to the next and show what belongs to it. */
export function TabList<Id extends string>({ name, label, tabs, chosen, look, onChoose }: TabListProps<Id>) {
  return (
    <div
      role="tablist"
      aria-label={label}
      aria-orientation="horizontal"
      onKeyDown={moveFocus}
      className={`flex ${LOOKS[look].list}`}
    >
      {tabs.map(({ id, label: title }) => (
        <button
          key={id}
          id={tabId({ name, id })}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls={panelId({ name, id })}
          data-state={id === chosen ? "active" : "inactive"}
          tabIndex={id === chosen ? 0 : -1}
          onFocus={() => (id === chosen ? undefined : onChoose(id))}
          onClick={() => onChoose(id)}
          className={`shrink-0 border-b-2 border-transparent text-sm text-ink-soft outline-offset-[-2px] data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink ${LOOKS[look].tab}`}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

interface TabPanelProps extends TabProps {
  readonly isChosen: boolean;
  /** Whether its content stays when another tab is chosen. */
  readonly isKept?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** What belongs to a tab. */
export function TabPanel({ name, id, isChosen, isKept = false, className = "", children }: TabPanelProps) {
  return (
    <div
      id={panelId({ name, id })}
      role="tabpanel"
      aria-labelledby={tabId({ name, id })}
      data-state={isChosen ? "active" : "inactive"}
      hidden={!isChosen}
      // A panel without anything to focus must be reached to be scrolled.
      tabIndex={isChosen ? 0 : -1}
      className={`outline-offset-[-2px] ${className}`}
    >
      {isChosen || isKept ? children : null}
    </div>
  );
}

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Tabs and what belongs to them; the first is shown at first. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const name = useId();
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = tabs.find(({ id }) => id === wanted)?.id ?? tabs[0]?.id ?? "";
  return (
    <div>
      <TabList name={name} label={label} tabs={tabs} chosen={chosen} onChoose={setWanted} look="page" />
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} name={name} id={id} isChosen={id === chosen}>
          {content}
        </TabPanel>
      ))}
    </div>
  );
}
