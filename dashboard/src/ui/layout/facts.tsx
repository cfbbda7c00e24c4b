import type { ReactNode } from "react";

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** A description list of names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="divide-y divide-line text-sm">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-2.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="ml-auto min-w-0 text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
