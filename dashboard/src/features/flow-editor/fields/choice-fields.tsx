import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { meQuery } from "../../../api/sign-in-state.ts";
import { Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Field, Select, SelectField } from "../../../ui/forms/field.tsx";
import { mcpToolsQuery, modelNamesQuery } from "../editor-queries.ts";
import { titleOf } from "../model/node-kinds.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { PlainText, useFieldTexts } from "./plain-fields.tsx";
import { editorFieldsText } from "./text.tsx";

/** Where the call continues. What is drawn on the canvas can be chosen here too, and by keyboard. */
export function GoesToField(props: FieldProps) {
  const { value, onChange } = props;
  const { flow, visit } = useFieldScope();
  const words = useFieldTexts(props);
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
            <option value="">{editorFieldsText.nowhere}</option>
            {target !== "" && !isKnown ? (
              <option value={target}>{editorFieldsText.targetIsMissing(target)}</option>
            ) : null}
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
              aria-label={editorFieldsText.showWhereLeads(words.label)}
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

/** The answer of an exit: yes or no for such a question, otherwise the values of its kind of answer. */
export function AnswerField(props: FieldProps) {
  const { whole } = useFieldScope();
  const words = useFieldTexts(props);
  const { answer } = whole as { readonly answer?: string };
  if (answer !== "yes_no") return <PlainText {...props} />;
  const value = String(props.value ?? "");
  return (
    <SelectField {...words} value={value} onChange={({ target }) => props.onChange(target.value)}>
      <option value="yes">{editorFieldsText.yes}</option>
      <option value="no">{editorFieldsText.no}</option>
      {value === "yes" || value === "no" ? null : <option value={value}>{value}</option>}
    </SelectField>
  );
}

/** Which of the flow's tools a conversation may use. */
export function ToolChoiceField(props: FieldProps) {
  const { value, onChange } = props;
  const { flow } = useFieldScope();
  const { label, hint, error } = useFieldTexts(props);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const known = (flow.tools ?? []).map(({ name }) => name);
  const all = [...known, ...chosen.filter((name) => !known.includes(name))];
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-sm font-medium">{label}</legend>
      <p className="text-sm text-ink-soft">{all.length > 0 ? hint : editorFieldsText.noTools}</p>
      {all.map((name) => (
        <label key={name} className="flex items-center gap-2.5 py-1 text-sm">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={() => toggle(name)}
            className="size-4 accent-accent"
          />
          <span className="font-mono text-[0.8125rem]">{name}</span>
          {known.includes(name) ? null : <span className="text-danger-text">{editorFieldsText.toolIsMissing}</span>}
        </label>
      ))}
      {error ? <p className="text-sm text-danger-text">{error}</p> : null}
    </fieldset>
  );
}

interface McpChoice {
  readonly server: string;
  readonly tool: string;
}

/** Which approved tools of MCP servers a conversation may use. One that cannot be used stays listed until it is unticked. */
export function McpToolChoiceField(props: FieldProps) {
  const { value, onChange } = props;
  const { label, hint, error } = useFieldTexts(props);
  const { data: servers = [] } = useQuery(mcpToolsQuery);
  const chosen = Array.isArray(value) ? (value as readonly McpChoice[]) : [];
  const isSame = (a: McpChoice) => (b: McpChoice) => a.server === b.server && a.tool === b.tool;
  const all = [...servers, ...chosen.filter((each) => !servers.some(isSame(each)))];
  const toggle = (each: McpChoice) => {
    const others = chosen.filter((one) => !isSame(each)(one));
    const next = others.length < chosen.length ? others : [...chosen, { server: each.server, tool: each.tool }];
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-sm font-medium">{label}</legend>
      <p className="text-sm text-ink-soft">{all.length > 0 ? hint : editorFieldsText.noMcpTools}</p>
      {all.map((each) => (
        <label key={`${each.server}/${each.tool}`} className="flex items-center gap-2.5 py-1 text-sm">
          <input
            type="checkbox"
            checked={chosen.some(isSame(each))}
            onChange={() => toggle(each)}
            className="size-4 accent-accent"
          />
          <span className="font-mono text-[0.8125rem] break-all">
            {each.server}/{each.tool}
          </span>
          {servers.some(isSame(each)) ? null : (
            <span className="text-danger-text">{editorFieldsText.toolIsNotApproved}</span>
          )}
        </label>
      ))}
      {error ? <p className="text-sm text-danger-text">{error}</p> : null}
    </fieldset>
  );
}

/** Which language model is used here. One that is not set up stays selected until it is changed. */
export function ModelField(props: FieldProps) {
  const { value, onChange } = props;
  const { label, error } = useFieldTexts(props);
  const { data: names, isPending } = useQuery(modelNamesQuery);
  const wished = typeof value === "string" ? value : undefined;
  if (isPending) return <Skeleton className="h-16 w-full" />;
  const known = names ?? [];
  const [first] = known;
  const isListed = wished === undefined || known.includes(wished);
  return (
    <div className="space-y-3">
      {first === undefined && wished === undefined ? (
        <p className="text-sm font-medium">{label}</p>
      ) : (
        <SelectField
          label={label}
          error={error}
          hint={names === undefined ? editorFieldsText.modelsUnknown : askedModels(known, wished)}
          value={wished ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        >
          <option value="">{editorFieldsText.defaultModel(first)}</option>
          {isListed ? null : <option value={wished}>{names ? editorFieldsText.modelNotSetUp(wished) : wished}</option>}
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

/** Where models are set up, for members who may, and whom to ask for the others. */
function NoModels() {
  const { data: me } = useQuery(meQuery);
  return (
    <div className="rounded-xl bg-sunken/60 p-3.5 text-sm">
      <p className="font-medium">{editorFieldsText.noModels}</p>
      {me?.member.isOperator ? (
        <p className="mt-1 text-ink-soft">
          {editorFieldsText.connectModel((label) => (
            <Link to="/operator/providers" className="font-medium text-accent-text underline underline-offset-4">
              {label}
            </Link>
          ))}
        </p>
      ) : (
        <p className="mt-1 text-ink-soft">{editorFieldsText.askOperator}</p>
      )}
    </div>
  );
}

/** Describes which language model a node uses, and which is the fallback. */
export function askedModels(names: readonly string[], wished: string | undefined): string {
  const [first] = names;
  if (first === undefined) return "";
  if (wished !== undefined && !names.includes(wished)) return editorFieldsText.asksInstead(first);
  const others = names.filter((name) => name !== (wished ?? first));
  // The name of the default may not fit into the list.
  return editorFieldsText.asksModels(wished === undefined ? first : null, others);
}
