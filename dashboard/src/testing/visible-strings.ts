import { parseSync } from "vite";

/** A piece of text in a source file that a person would read. */
export interface VisibleString {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly kind: "jsx-text" | "literal" | "template";
  readonly value: string;
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Attributes whose values are read by the browser or by a component, never by a person. */
const TECHNICAL_ATTRIBUTES =
  /^(className|class|id|key|name|type|role|to|from|href|src|rel|target|method|look|tone|size|side|align|kind|value|defaultValue|htmlFor|autoComplete|inputMode|pattern|accept|d|viewBox|preserveAspectRatio|fill|stroke\w*|transform|style|position|orientation|sandbox|lang|dir|data-.*|aria-(live|current|haspopup|controls|labelledby|describedby|invalid|autocomplete|orientation|sort|hidden|pressed|checked|relevant|keyshortcuts))$/;

/** Calls whose arguments name things of the program. */
const TECHNICAL_CALLS =
  /^(Error|TypeError|RangeError|ApiError|URL|RegExp|Worker|getRouteApi|createRoute|lazyRouteComponent|querySelector(All)?|closest|matches|addEventListener|removeEventListener|getElementById|setAttribute|getAttribute|hasAttribute|removeAttribute|matchMedia|getItem|setItem|removeItem|startsWith|endsWith|includes|split|join|padStart|padEnd|replace|replaceAll|indexOf|localeCompare|useBlocker|console\.\w+|warn|setProperty|createElement|createElementNS|DisplayNames|DateTimeFormat|NumberFormat|ListFormat|PluralRules|inLanguage)$/;

/** Calls that only take CSS. */
const STYLE_CALLS = /^(theme|baseTheme)$/;

/** Modules that write programs, which are the same in every language, those of tests and translations. */
const NOT_READ = /(^|\/)(testing\/|snippets\/write-snippet\.ts$)|\.de\.tsx?$/;

/** Examples of what an agent says, or of code, and names of keys: they are not in the language of the interface. */
const SAMPLES = /^SAMPLE(_|$)|_KEYS$/;

/** Its name is the same in every language. */
const PRODUCT = "Parley";

/** Words that stand alone in lists of CSS classes. */
const CSS_WORDS = new Set(
  "absolute relative fixed sticky static flex grid block inline hidden contents truncate underline italic uppercase capitalize lowercase border rounded shadow transition group peer container invisible visible antialiased grow shrink resize ring outline blur filter isolate table hyphens isolate".split(
    " ",
  ),
);

/** Units, and the words of protocols and commands. */
const UNITS = new Set(["ms", "kHz", "kB", "MB", "Bearer", "curl"]);

/** Finds what a person would read in the source of a component or of a module. */
export function findVisibleStrings(path: string, source: string): readonly VisibleString[] {
  if (NOT_READ.test(path)) return [];
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: VisibleString[] = [];
  const add = (node: SyntaxNode, kind: VisibleString["kind"], value: string) => {
    const line = source.slice(0, node.start).split("\n").length;
    found.push({ line, start: node.start, end: node.end, kind, value });
  };
  visit(program as unknown as SyntaxNode, null);
  return found;

  function visit(node: SyntaxNode, parent: SyntaxNode | null): void {
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "TSLiteralType":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeAnnotation":
      case "TSTypeParameterInstantiation":
        return;
      case "JSXText":
        if (/\p{L}{2}/u.test(String(node["value"])) && String(node["value"]).trim() !== PRODUCT)
          add(node, "jsx-text", String(node["value"]));
        return;
      case "JSXAttribute":
        if (TECHNICAL_ATTRIBUTES.test(nameOf(node["name"]))) return;
        break;
      case "VariableDeclarator":
        if (SAMPLES.test(nameOf(node["id"]))) return;
        break;
      case "CallExpression":
      case "NewExpression":
        if (STYLE_CALLS.test(nameOf(node["callee"]))) return;
        if (TECHNICAL_CALLS.test(nameOf(node["callee"]))) return visitChildren(node, isExpressionWithText);
        break;
      case "BinaryExpression":
        // What is compared is a value of the program.
        if (node["operator"] !== "+") return visitChildren(node, (child) => child.type !== "Literal");
        break;
      case "SwitchCase":
        for (const child of (node["consequent"] as SyntaxNode[] | undefined) ?? []) visit(child, node);
        return;
      case "Property":
        visit(node["value"] as SyntaxNode, node);
        return;
      case "Literal":
        if (typeof node["value"] === "string" && isVisible(node["value"], parent)) add(node, "literal", node["value"]);
        return;
      case "TemplateLiteral": {
        const quasis = (node["quasis"] as { value: { cooked: string | null } }[]).map(
          ({ value }) => value.cooked ?? "",
        );
        if (parent?.type !== "TaggedTemplateExpression" && isVisibleTemplate(quasis)) {
          add(node, "template", quasis.join("…"));
        }
        for (const child of node["expressions"] as SyntaxNode[]) visit(child, node);
        return;
      }
    }
    visitChildren(node, () => true);
  }

  function visitChildren(node: SyntaxNode, isVisited: (child: SyntaxNode) => boolean): void {
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child) && isVisited(child)) visit(child, node);
      }
    }
  }
}

const READ_ATTRIBUTE = /\s(?:alt|aria-label|content|placeholder|title)="([^"]*)"/g;
/** Of the page itself, for the browser. */
const TECHNICAL_META = /<meta (?!name="description")[^>]*>/g;

/** Finds what a person would read in a page of HTML. What its scripts show is not in it. */
export function findVisibleMarkup(html: string): readonly string[] {
  const page = html.replaceAll(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<!doctype[^>]*>/gi, "");
  const attributes = [...page.replaceAll(TECHNICAL_META, "").matchAll(READ_ATTRIBUTE)].map(([, value = ""]) => value);
  return [...page.split(/<[^>]*>/), ...attributes]
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2}/u.test(text) && text !== PRODUCT && !/^\{\{\w+\}\}$/.test(text));
}

/** The arguments of a technical call are skipped, except for functions and elements, which may show text. */
function isExpressionWithText({ type }: SyntaxNode): boolean {
  return type !== "Literal" && type !== "TemplateLiteral";
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** The last name of an expression or attribute: `addEventListener` for `page.addEventListener`. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  const { name, property, namespace } = node as SyntaxNode & {
    name?: unknown;
    property?: unknown;
    namespace?: unknown;
  };
  if (isNode(namespace)) return `${nameOf(namespace)}:${nameOf(name)}`;
  if (isNode(property)) {
    const object = nameOf(node["object"]);
    return object === "console" ? `console.${nameOf(property)}` : nameOf(property);
  }
  return typeof name === "string" ? name : "";
}

function isVisible(value: string, parent: SyntaxNode | null): boolean {
  // A single capitalised word, such as a label, but neither HTTP nor an abbreviation.
  if (value === PRODUCT) return false;
  if (/^\p{Lu}(-?\p{Ll}+)+[.…:?!]?$/u.test(value.trim())) return true;
  if (!/\p{L}{2}/u.test(value) || !/\s/.test(value.trim())) return false;
  if (parent?.type === "JSXAttribute") return true;
  return !isClassList(value);
}

/** Between its values, a template has words: not only a unit, a path or CSS classes. */
function isVisibleTemplate(quasis: readonly string[]): boolean {
  const text = quasis.join(" ");
  const words = text.match(/(?<![\w\-:/.#@[=&?])\p{L}{2,}(?![\w\-/[=]|:\S)/gu) ?? [];
  return (
    words.some((word) => !UNITS.has(word) && word !== PRODUCT) && /\s/.test(quasis.join("…")) && !isClassList(text)
  );
}

function isClassList(value: string): boolean {
  const tokens = value.trim().split(/\s+/);
  return tokens.every(
    (token) =>
      /^[!a-z0-9@*&[\]().,/:%#_><+~='"|-]+$/i.test(token) &&
      (/[-:[\]/_#=]./.test(token) || CSS_WORDS.has(token) || /^[\d.,%]+$/.test(token)),
  );
}
