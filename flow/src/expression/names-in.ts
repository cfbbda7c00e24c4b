import type { Expression } from "./expression.ts";

/** The dotted names an expression uses, each once, in the order of their first use. */
export function namesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  collect(expression, names);
  return names;
}

function collect(expression: Expression, names: Set<string>): void {
  switch (expression.type) {
    case "literal":
      return;
    case "name":
      names.add(expression.path);
      return;
    case "call":
      for (const arg of expression.args) collect(arg, names);
      return;
    case "not":
    case "negative":
      collect(expression.of, names);
      return;
    case "in":
      collect(expression.of, names);
      for (const item of expression.items) collect(item, names);
      return;
    case "binary":
      collect(expression.left, names);
      collect(expression.right, names);
  }
}
