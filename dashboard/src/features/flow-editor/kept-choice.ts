import { useState } from "react";

/** A choice of this person that the next visit finds again, such as the width of a panel. */
export function useKeptChoice<Value extends string | number | boolean>(
  name: string,
  initial: Value,
  isValid: (value: unknown) => value is Value,
): readonly [Value, (value: Value) => void] {
  const key = `parley.builder.${name}`;
  const [value, setValue] = useState(() => read(key, initial, isValid));
  return [
    value,
    (next) => {
      setValue(next);
      localStorage.setItem(key, JSON.stringify(next));
    },
  ];
}

function read<Value>(key: string, initial: Value, isValid: (value: unknown) => value is Value): Value {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isValid(kept) ? kept : initial;
  } catch {
    // Something else wrote there.
    return initial;
  }
}
