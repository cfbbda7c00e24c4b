import type { CollectedValues as Values } from "@parley/contract/try";

/** What the agent found out so far. */
export function CollectedValues({ values }: { readonly values: Values }) {
  const entries = Object.entries(values);
  return (
    <section aria-label="Collected" className="rounded-xl border border-line px-3.5 py-2.5 text-sm">
      <h3 className="font-medium">Collected</h3>
      {entries.length === 0 ? <p className="text-ink-soft">Nothing yet.</p> : null}
      <dl>
        {entries.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-1">
            <dt className="font-mono text-[0.8125rem] text-ink-soft">{name}</dt>
            <dd className="min-w-0 text-right break-words">{value === null ? "–" : String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
