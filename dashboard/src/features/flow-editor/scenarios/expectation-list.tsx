import { END_REASONS, type EndReason } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import type { ScenarioExpectation } from "@parley/contract/scenarios";
import { savedNames } from "@parley/flow/names";
import { Plus, X } from "lucide-react";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Select } from "../../../ui/forms/field.tsx";
import { END_REASON_LABELS } from "../../calls/call-labels.ts";
import { titleOf } from "../model/node-kinds.ts";
import { EXPECTATION_KINDS, expectationOfType, readValue } from "./scenario-form.ts";
import { scenariosText } from "./text.tsx";

interface ExpectationListProps {
  readonly flow: Flow;
  readonly expect: readonly ScenarioExpectation[];
  onChange(expect: readonly ScenarioExpectation[]): void;
}

/** What must hold at the end. */
export function ExpectationList({ flow, expect, onChange }: ExpectationListProps) {
  const put = (index: number, one: ScenarioExpectation) =>
    onChange(expect.map((old, at) => (at === index ? one : old)));
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{scenariosText.expectations}</legend>
      {expect.map((one, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: expectations have no name of their own.
          key={index}
          className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-1.5"
        >
          <Select
            aria-label={scenariosText.expectation(index + 1)}
            value={one.type}
            onChange={({ target }) => put(index, expectationOfType(target.value as ScenarioExpectation["type"], flow))}
          >
            {EXPECTATION_KINDS.map(({ type, label }) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </Select>
          <Detail flow={flow} one={one} number={index + 1} onChange={(next) => put(index, next)} />
          {expect.length > 1 ? (
            <Button
              look="quiet"
              size="icon"
              aria-label={scenariosText.removeExpectation(index + 1)}
              onClick={() => onChange(expect.filter((_, at) => at !== index))}
            >
              <X aria-hidden="true" />
            </Button>
          ) : (
            <span />
          )}
        </div>
      ))}
      <Button size="small" onClick={() => onChange([...expect, expectationOfType("reached", flow)])}>
        <Plus aria-hidden="true" />
        {scenariosText.addExpectation}
      </Button>
    </fieldset>
  );
}

interface DetailProps {
  readonly flow: Flow;
  readonly one: ScenarioExpectation;
  readonly number: number;
  onChange(one: ScenarioExpectation): void;
}

function Detail({ flow, one, number, onChange }: DetailProps) {
  const label = scenariosText.expectationDetail(number);
  switch (one.type) {
    case "ended":
      return <Reasons label={label} one={one} onChange={onChange} />;
    case "reached":
    case "not_reached":
      return (
        <Select
          aria-label={label}
          value={one.nodeId}
          onChange={({ target }) => onChange({ ...one, nodeId: target.value })}
        >
          {flow.nodes.some(({ id }) => id === one.nodeId) ? null : <option value={one.nodeId}>{one.nodeId}</option>}
          {flow.nodes.map((node) => (
            <option key={node.id} value={node.id}>
              {titleOf(node)}
            </option>
          ))}
        </Select>
      );
    case "collected":
    case "not_collected":
      return (
        <div className="space-y-1.5">
          <Names
            label={label}
            name={one.name}
            names={flow.nodes.flatMap(savedNames)}
            onChange={(name) => onChange({ ...one, name })}
          />
          {one.type === "collected" ? (
            <input
              aria-label={scenariosText.expectationValue(number)}
              placeholder={scenariosText.anyValue}
              value={one.equals === undefined ? "" : String(one.equals)}
              onChange={({ target }) => onChange(withEquals(one.name, readValue(target.value)))}
              className={`${CONTROL} h-10`}
            />
          ) : null}
        </div>
      );
    case "tool_called":
    case "tool_not_called": {
      const names = [
        ...flow.nodes.filter(({ type }) => type === "tool").map(({ id }) => id),
        ...(flow.tools ?? []).map(({ name }) => name),
      ];
      return <Names label={label} name={one.name} names={names} onChange={(name) => onChange({ ...one, name })} />;
    }
    case "said":
    case "not_said":
      return (
        <input
          aria-label={label}
          value={one.contains}
          maxLength={500}
          placeholder={scenariosText.saidExample}
          onChange={({ target }) => onChange({ ...one, contains: target.value })}
          className={`${CONTROL} h-10`}
        />
      );
    default:
      return <span aria-hidden="true" />;
  }
}

interface ReasonsProps {
  readonly label: string;
  readonly one: Extract<ScenarioExpectation, { type: "ended" }>;
  onChange(one: ScenarioExpectation): void;
}

/** Several ends may be accepted. */
function Reasons({ label, one, onChange }: ReasonsProps) {
  const reasons = Array.isArray(one.reason) ? one.reason : [one.reason];
  const keep = (next: readonly EndReason[]) => {
    const [first = "agent_hangup"] = next;
    onChange({ type: "ended", reason: next.length > 1 ? [...next] : first });
  };
  return (
    <div className="space-y-1.5">
      {reasons.map((reason, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a choice keeps its place, and the focus with it, whatever is chosen.
        <div key={index} className="flex gap-1.5">
          <Select
            aria-label={index === 0 ? label : scenariosText.orLabel(label)}
            className="min-w-0 flex-1"
            value={reason}
            onChange={({ target }) =>
              keep(reasons.map((old, at) => (at === index ? (target.value as EndReason) : old)))
            }
          >
            {END_REASONS.map((known) => (
              <option key={known} value={known}>
                {END_REASON_LABELS[known]}
              </option>
            ))}
          </Select>
          {reasons.length > 1 ? (
            <Button
              look="quiet"
              size="icon"
              aria-label={scenariosText.removeReason(END_REASON_LABELS[reason])}
              onClick={() => keep(reasons.filter((_, at) => at !== index))}
            >
              <X aria-hidden="true" />
            </Button>
          ) : null}
        </div>
      ))}
      {reasons.length < 4 ? (
        <Button
          size="small"
          look="quiet"
          onClick={() => keep([...reasons, END_REASONS.find((known) => !reasons.includes(known)) ?? "callee_hangup"])}
        >
          {scenariosText.addOr}
        </Button>
      ) : null}
    </div>
  );
}

interface NamesProps {
  readonly label: string;
  readonly name: string;
  readonly names: readonly string[];
  onChange(name: string): void;
}

function Names({ label, name, names, onChange }: NamesProps) {
  const known = [...new Set([...names, name])];
  return (
    <Select aria-label={label} value={name} onChange={({ target }) => onChange(target.value)}>
      {known.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Select>
  );
}

function withEquals(name: string, equals: string | number | boolean | undefined): ScenarioExpectation {
  return equals === undefined ? { type: "collected", name } : { type: "collected", name, equals };
}
