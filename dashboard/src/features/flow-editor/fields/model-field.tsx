import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../../../api/sign-in-state.ts";
import { SelectField } from "../../../ui/field.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { modelNamesQuery } from "../model-queries.ts";
import { askedModels } from "./asked-models.ts";
import type { FieldProps } from "./field-scope.tsx";
import { useFieldWords } from "./plain-fields.tsx";

/** Which language model speaks or judges here. One that is not set up stays until somebody takes another. */
export function ModelField(props: FieldProps) {
  const { value, onChange } = props;
  const { label, error } = useFieldWords(props);
  const { data: names, isPending } = useQuery(modelNamesQuery);
  const wished = typeof value === "string" ? value : undefined;
  if (isPending) return <Skeleton className="h-16 w-full" />;
  const known = names ?? [];
  const [first] = known;
  const isListed = wished === undefined || known.includes(wished);
  const usual = first === undefined ? "The installation's model" : `The installation's model (${first})`;
  return (
    <div className="space-y-3">
      {first === undefined && wished === undefined ? (
        <p className="text-sm font-medium">{label}</p>
      ) : (
        <SelectField
          label={label}
          error={error}
          hint={names === undefined ? "Which models are set up could not be found out." : askedModels(known, wished)}
          value={wished ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        >
          <option value="">{usual}</option>
          {isListed ? null : <option value={wished}>{names ? `${wished} (not set up)` : wished}</option>}
          {known.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {names?.length === 0 ? <NoModels /> : null}
    </div>
  );
}

/** Where models are set up, for those who may, and whom to ask for the others. */
function NoModels() {
  const { data: me } = useQuery(meQuery);
  return (
    <div className="rounded-xl bg-sunken/60 p-3.5 text-sm">
      <p className="font-medium">No language model is set up</p>
      {me?.member.isOperator ? (
        <p className="mt-1 text-ink-soft">
          One key is enough:{" "}
          <Link to="/operator/models" className="font-medium text-accent-text underline underline-offset-4">
            set one up under Operator &gt; Models
          </Link>
          . With several you choose here which one this node asks.
        </p>
      ) : (
        <p className="mt-1 text-ink-soft">
          Ask the operator of this installation to set one up, under Operator &gt; Models. With several you choose here
          which one this node asks.
        </p>
      )}
    </div>
  );
}
