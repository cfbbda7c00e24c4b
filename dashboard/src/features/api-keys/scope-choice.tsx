import { SCOPE_MEANINGS, SCOPES } from "@parley/contract/scopes";
import type { UseFormRegisterReturn } from "react-hook-form";

interface ScopeChoiceProps {
  readonly chosen: number;
  readonly register: UseFormRegisterReturn<"scopes">;
}

/** What the key may do, each with what it means. */
export function ScopeChoice({ chosen, register }: ScopeChoiceProps) {
  return (
    <fieldset className="rounded-xl border border-line px-4 pt-1 pb-3">
      <legend className="px-1 text-sm font-medium">
        Scopes{" "}
        <span className="font-normal text-ink-soft">
          {chosen === SCOPES.length ? "(all: full access)" : `(${chosen} of ${SCOPES.length})`}
        </span>
      </legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {SCOPES.map((scope) => (
          <label key={scope} className="flex cursor-pointer items-start gap-2.5 py-1.5 text-sm">
            <input type="checkbox" value={scope} {...register} className="mt-1 size-4 shrink-0 accent-accent" />
            <span className="min-w-0">
              <span className="block leading-5">{SCOPE_MEANINGS[scope]}</span>
              <span className="block font-mono text-xs text-ink-soft">{scope}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
