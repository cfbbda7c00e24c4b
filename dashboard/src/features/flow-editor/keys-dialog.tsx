import { Dialog } from "../../ui/dialog.tsx";

const KEYS: readonly (readonly [string, string])[] = [
  ["/ or Ctrl K", "Find a node"],
  ["A", "Add a node"],
  ["C", "Connect an exit of the selected node"],
  ["Tab", "Go from node to node; Enter selects, arrows move"],
  ["E", "Go to the fields of the selected node; Escape goes back"],
  ["Shift click", "Select several, or draw a box with Shift"],
  ["Ctrl A", "Select all"],
  ["Ctrl C, X, V", "Copy, cut, paste; also into another agent"],
  ["Ctrl D", "Duplicate"],
  ["Delete", "Remove what is selected"],
  ["Ctrl Z, Ctrl Shift Z", "Undo, redo"],
  ["L", "Tidy up"],
  ["F", "Show the whole flow"],
];

/** What can be done without a mouse. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Keys">
      <dl className="divide-y divide-line text-sm">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="flex justify-between gap-6 py-2">
            <dt>
              <kbd className="rounded-md bg-sunken px-2 py-0.5 font-mono text-xs whitespace-nowrap">{keys}</kbd>
            </dt>
            <dd className="text-right text-ink-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
