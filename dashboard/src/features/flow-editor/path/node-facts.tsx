import type { Flow, FlowNode } from "@parley/contract/flow";
import { exitsOf } from "../model/exits-of.ts";
import { nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";

/** What the selected node said and where it led, in full: on its card there is room for two lines. */
export function NodeFacts({ flow, node }: { readonly flow: Flow; readonly node: FlowNode }) {
  const titles = new Map(flow.nodes.map((one) => [one.id, titleOf(one)]));
  const exits = exitsOf(node);
  return (
    <section
      aria-label="The selected node"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long is scrolled to, also by keyboard.
      tabIndex={0}
      className="max-h-[45%] shrink-0 max-lg:hidden space-y-2 overflow-y-auto border-t border-line px-4 py-3 text-sm outline-offset-[-2px]"
    >
      <h2 className="font-semibold break-words">
        {titleOf(node)} <span className="font-normal text-ink-soft">{nameOfType(node.type)}</span>
      </h2>
      <p className="break-words whitespace-pre-wrap empty:hidden">{summaryOf(node)}</p>
      {exits.length > 0 ? (
        <ul className="space-y-1 text-ink-soft">
          {exits.map(({ id, label, to }) => (
            <li key={id} className="flex justify-between gap-4">
              <span className="min-w-0 break-words">{label}</span>
              <span className="min-w-0 text-right break-words text-ink">
                {to === undefined ? "nowhere" : (titles.get(to) ?? to)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
