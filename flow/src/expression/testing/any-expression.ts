import fc from "fast-check";
import { ARITHMETIC, COMPARISONS, CONNECTIVES, type Expression } from "../expression.ts";
import { EXPRESSION_FUNCTIONS } from "../functions.ts";
import { RESERVED_WORDS } from "../parse.ts";

const nowhere = { start: 0, end: 0 };
const word = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,6}$/)
  .filter((text) => !RESERVED_WORDS.some((reserved) => reserved === text));
const path = fc.oneof(
  fc.constantFrom(
    "variables.name",
    "collected.day",
    "collected.guests",
    "call.phoneNumber",
    "collected.in",
    "constructor",
  ),
  word,
  fc.array(word, { minLength: 2, maxLength: 3 }).map((parts) => parts.join(".")),
);
const literal = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom("zoë", "e\u0301", "\u202e", "\ud83d"),
  fc.constantFrom('"', "'", "\\", "\n\t", '\\"', "and", "{{x}}", "🎉"),
  fc.nat(),
  fc.constantFrom(0, 0.5, 2.25, 0.0000001, 123456789012345),
  fc.boolean(),
  fc.constant(null),
);

/** Any text at all, including lone surrogates and invisible characters. */
export const anyText = fc
  .array(fc.oneof(fc.nat({ max: 127 }), fc.nat({ max: 0xffff })), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

/** Any expression that can be written down, without positions: those come from the text. */
export const anyExpression: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => {
  const inner = tie("expression");
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthIdentifier: "expression" },
      literal.map((value): Expression => ({ ...nowhere, type: "literal", value })),
      path.map((name): Expression => ({ ...nowhere, type: "name", path: name })),
      fc.record({
        ...constants({ ...nowhere, type: "call" as const }),
        name: fc.oneof(fc.constantFrom(...EXPRESSION_FUNCTIONS.keys(), "toString"), word),
        args: fc.array(inner, { maxLength: 3 }),
      }),
      fc.record({ ...constants({ ...nowhere, type: "not" as const }), of: inner }),
      fc.record({ ...constants({ ...nowhere, type: "negative" as const }), of: inner }),
      fc.record({
        ...constants({ ...nowhere, type: "in" as const }),
        isNegated: fc.boolean(),
        of: inner,
        items: fc.array(inner, { maxLength: 3 }),
      }),
      fc.record({
        ...constants({ ...nowhere, type: "binary" as const }),
        operator: fc.constantFrom(...ARITHMETIC, ...COMPARISONS, ...CONNECTIVES),
        left: inner,
        right: inner,
      }),
    ),
  };
}).expression;

/** The same expression without positions, to compare a parsed one with a generated one. */
export function withoutPlaces(expression: Expression): Expression {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) => (key === "start" || key === "end" ? 0 : value)),
  ) as Expression;
}

function constants<T extends Record<string, string | number>>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [K in keyof T]: fc.Arbitrary<T[K]>;
  };
}
