interface Node<T> {
  readonly children: Map<string, Node<T>>;
  value: T | null;
  /** Names of the values that could stand here with the fewest entries below. Empty where nothing is known. */
  best: ReadonlySet<string>;
}

/**
 * The fewest prefixes that give each of these strings, and everything longer, the same value by longest match. Strings
 * that no entry begins with may get any value. The empty prefix is always among them.
 */
export function shortenPrefixes<T>(entries: ReadonlyMap<string, T>, nameOf: (value: T) => string): [string, T][] {
  const root = grow(entries);
  settle(root, nameOf);
  const values = new Map([...entries.values()].map((value) => [nameOf(value), value]));
  const kept: [string, T][] = [];
  const visit = (prefix: string, node: Node<T>, above: string | null): void => {
    let name = above;
    if (node.best.size > 0 && (above === null || !node.best.has(above))) {
      [name = null] = node.best;
      const value = name === null ? undefined : values.get(name);
      if (value !== undefined) kept.push([prefix, value]);
    }
    for (const [digit, child] of [...node.children].sort(([a], [b]) => Number(a) - Number(b)))
      visit(prefix + digit, child, name);
  };
  visit("", root, null);
  return kept;
}

function grow<T>(entries: ReadonlyMap<string, T>): Node<T> {
  const sprout = (): Node<T> => ({ children: new Map(), value: null, best: new Set() });
  const root = sprout();
  for (const [text, value] of entries) {
    let node = root;
    for (const character of text) {
      const child = node.children.get(character) ?? sprout();
      node.children.set(character, child);
      node = child;
    }
    node.value = value;
  }
  return root;
}

/** From the leaves up: what most children could do with is best for their parent. */
function settle<T>(node: Node<T>, nameOf: (value: T) => string): void {
  if (node.value !== null) {
    node.best = new Set([nameOf(node.value)]);
    return;
  }
  const votes = new Map<string, number>();
  for (const child of node.children.values()) {
    settle(child, nameOf);
    for (const name of child.best) votes.set(name, (votes.get(name) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  node.best = new Set([...votes].filter(([, count]) => count === most).map(([name]) => name));
}
