import type { AuditEntry } from "@parley/contract/accounts";
import { formatFull, formatMoment } from "../../ui/format.ts";
import { actorOf, changesOf, deedOf, objectOf } from "./audit-words.ts";

export function AuditEntries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <ol className="divide-y divide-line border-t border-line">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const object = objectOf(entry);
  const changes = changesOf(entry);
  const [before, after] = deedOf(entry);
  return (
    <li className="px-4 py-3 text-sm sm:flex sm:gap-6 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <bdi className="font-medium wrap-anywhere">{actorOf(entry)}</bdi> {before}
          {object ? <Thing name={object} /> : null}
          {after ? ` ${after}` : ""}
        </p>
        {changes.length > 0 ? (
          <ul className="mt-1 space-y-0.5 text-ink-soft">
            {changes.map(({ name, from, to }) => (
              <li key={name} className="break-words">
                {name}: {from} → {to}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <p className="shrink-0 text-ink-soft tabular-nums sm:text-right">
        <span title={formatFull(entry.createdAt)}>{formatMoment(entry.createdAt)}</span>
        {entry.ip ? <span className="ml-3 sm:ml-0 sm:block sm:text-xs">{entry.ip}</span> : null}
      </p>
    </li>
  );
}

/** An id says little to people and stands back. */
function Thing({ name }: { readonly name: string }) {
  const isId = /^[a-z]{3,4}_[0-9a-z]{26}$/.test(name);
  return <bdi className={`wrap-anywhere ${isId ? "font-mono text-xs text-ink-soft" : ""}`}> {name}</bdi>;
}
