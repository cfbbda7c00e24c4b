import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { smallFlow } from "../model/testing/small-flow.ts";
import { type FieldProps, type FieldScope, FieldScopeProvider } from "./field-scope.tsx";
import { JsonField, NameText, NumberField } from "./plain-fields.tsx";
import type { FieldSpec } from "./schema-fields.ts";

const scope: FieldScope = {
  agentId: "agent_1",
  flow: smallFlow(),
  subject: "ask",
  whole: {},
  problems: new Map(),
  placeholders: () => [],
  applies: () => true,
  Editor: () => null,
};

function renderField(Field: (props: FieldProps) => unknown, field: object, initial: unknown) {
  const onChange = vi.fn();
  function Form() {
    const [value, setValue] = useState(initial);
    const Component = Field as React.ComponentType<FieldProps>;
    return (
      <FieldScopeProvider scope={scope}>
        <Component
          field={{ name: "maxTurns", help: null, isRequired: true, takesNull: false, ...field } as unknown as FieldSpec}
          path={["maxTurns"]}
          value={value}
          onChange={(next) => {
            onChange(next);
            setValue(next);
          }}
        />
      </FieldScopeProvider>
    );
  }
  render(<Form />);
  return { onChange, input: screen.getByRole("textbox") as HTMLInputElement };
}

const wholeNumber = { kind: "number", min: 1, max: 20, isWhole: true };

test("a number is stored as soon as it is within its bounds", async () => {
  const { onChange, input } = renderField(NumberField, wholeNumber, 5);
  await userEvent.clear(input);
  await userEvent.type(input, "12");
  expect(onChange.mock.calls).toEqual([[1], [12]]);
});

test("a number out of bounds is not stored, and the bounds are named", async () => {
  const { onChange, input } = renderField(NumberField, wholeNumber, 5);
  await userEvent.clear(input);
  await userEvent.type(input, "99");
  expect(onChange.mock.calls).toEqual([[9]]);
  expect(screen.getByText("Enter a whole number from 1 to 20.")).toBeDefined();
  expect(input.getAttribute("aria-invalid")).toBe("true");
});

test("on leaving the field, text that is not a number is replaced by the stored number", async () => {
  const { onChange, input } = renderField(NumberField, wholeNumber, 5);
  await userEvent.clear(input);
  await userEvent.type(input, "many");
  expect(input.value).toBe("many");
  await userEvent.tab();
  expect(input.value).toBe("5");
  expect(onChange).not.toHaveBeenCalled();
});

test("an optional number can be left out", async () => {
  const { onChange, input } = renderField(NumberField, { ...wholeNumber, isRequired: false }, 5);
  await userEvent.clear(input);
  expect(onChange.mock.calls).toEqual([[undefined]]);
});

test("characters that are not allowed in a name become underscores while typing", async () => {
  const { onChange, input } = renderField(NameText, { kind: "text", charsMin: 1, charsMax: 64, patterns: [] }, "");
  await userEvent.type(input, "1First Name");
  expect(input.value).toBe("first_name");
  expect(onChange.mock.lastCall).toEqual(["first_name"]);
});

test("JSON is stored when it is complete, and kept in the field while it is not", async () => {
  const { onChange, input } = renderField(JsonField, { kind: "json" }, undefined);
  await userEvent.click(input);
  await userEvent.paste('{"day": ');
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.tab();
  expect(input.value).toBe('{"day": ');
  await userEvent.click(input);
  await userEvent.paste('"Tuesday"}');
  expect(onChange.mock.calls).toEqual([[{ day: "Tuesday" }]]);
});
