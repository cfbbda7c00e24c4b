import { ArrowUpRight } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { titleOf } from "../model/node-kinds.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldWords } from "./plain-fields.tsx";

/** Where the call goes on. What is drawn on the canvas can be chosen here too, and by keyboard. */
export function GoesToField(props: FieldProps) {
  const { value, onChange } = props;
  const { flow, visit } = useFieldScope();
  const words = useFieldWords(props);
  const target = typeof value === "string" ? value : "";
  const places = flow.nodes.filter(({ type }) => type !== "start" && type !== "voicemail");
  const isKnown = places.some(({ id }) => id === target);
  return (
    <Field {...words}>
      {(control) => (
        <div className="flex gap-1.5">
          <Select
            {...control}
            className="min-w-0 flex-1"
            value={target}
            onChange={({ target: chosen }) => onChange(chosen.value === "" ? undefined : chosen.value)}
          >
            <option value="">Nowhere</option>
            {target !== "" && !isKnown ? <option value={target}>{target} (is not there)</option> : null}
            {places.map((node) => (
              <option key={node.id} value={node.id}>
                {titleOf(node)}
              </option>
            ))}
          </Select>
          {visit && isKnown ? (
            <Button
              look="quiet"
              size="icon"
              aria-label={`Show where “${words.label}” leads`}
              onClick={() => visit(target)}
            >
              <ArrowUpRight aria-hidden="true" />
            </Button>
          ) : null}
        </div>
      )}
    </Field>
  );
}
