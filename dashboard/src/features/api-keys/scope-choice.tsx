import { grantableScopes, type Role, SCOPE_MEANINGS, SCOPES } from "@parley/contract/scopes";
import type { UseFormRegisterReturn } from "react-hook-form";

interface ScopeChoiceProps {
  readonly chosen: number;
  readonly role: Role;
  readonly register: UseFormRegisterReturn<"scopes">;
}

/** What the key may do, each with what it means. */
export function ScopeChoice({ chosen, role, register }: ScopeChoiceProps) {
  const grantable = grantableScopes(role);
  return (
    <fieldset className="rounded-xl border border-line px-4 pt-1 pb-3">
      <legend className="px-1 text-sm font-medium">
        Scopes{" "}
        <span className="font-normal text-ink-soft">
          {chosen === SCOPES.length ? "(all: full access)" : `(${chosen} of ${grantable.length})`}
        </span>
      </legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {grantable.map((scope) => (
          <label key={scope} className="flex cursor-pointer items-start gap-2.5 py-1.5 text-sm">
            <input type="checkbox" value={scope} {...register} className="mt-1 size-4 shrink-0 accent-accent" />
            <span className="min-w-0">
              <span className="block leading-5">{SCOPE_MEANINGS[scope]}</span>
              <span className="block font-mono text-xs text-ink-soft">{scope}</span>
            </span>
          </label>
        ))}
      </div>
      {role === "owner" ? null : (
        <p className="mt-1 text-sm text-ink-soft">Keys for settings and the audit log are made by an owner.</p>
      )}
    </fieldset>
  );
}
