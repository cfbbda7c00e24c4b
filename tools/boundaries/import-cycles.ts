import { readImports, resolveImport } from "./read-imports.ts";
import { featureOf } from "./rules.ts";
import { isTestCode, type SourceFile } from "./source-file.ts";

/** What leads where. */
export type Graph = Map<string, Set<string>>;

/** Runtime imports between files; a type import is gone before the code runs. */
export function fileGraph(files: readonly SourceFile[]): Graph {
  const known = new Set(files.map(({ path }) => path));
  return graphOf(files, (path) => (known.has(path) ? path : null));
}

/** Runtime imports between the feature folders of the server. */
export function featureGraph(files: readonly SourceFile[]): Graph {
  const inServer = files.filter(({ path }) => path.startsWith("server/src/") && path.split("/").length > 3);
  return graphOf(inServer, (path) => (path.split("/").length > 3 ? featureOf(path) || null : null));
}

function graphOf(files: readonly SourceFile[], nameOf: (path: string) => string | null): Graph {
  const graph: Graph = new Map();
  for (const file of files) {
    const from = nameOf(file.path);
    if (from === null || isTestCode(file.path)) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { specifier, typeOnly } of readImports(file)) {
      const path = typeOnly ? null : resolveImport(file.path, specifier);
      const to = path === null ? null : nameOf(path);
      if (to !== null && to !== from) targets.add(to);
    }
  }
  return graph;
}

/** Finds every cycle as the shortest path from its first member, reported once. */
export function findCycles(graph: Graph): string[] {
  const cycles = new Set<string>();
  for (const start of [...graph.keys()].sort()) {
    const way = shortestWayRound(graph, start);
    // Each cycle is reported from its alphabetically first member, so that it appears once.
    if (way?.every((name) => name >= start)) cycles.add([...way, start].join(" -> "));
  }
  return [...cycles];
}

function shortestWayRound(graph: Graph, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  let frontier = [start];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const name of frontier) {
      for (const target of graph.get(name) ?? []) {
        if (target === start) return wayTo(name, start, cameFrom);
        if (cameFrom.has(target)) continue;
        cameFrom.set(target, name);
        next.push(target);
      }
    }
    frontier = next;
  }
  return null;
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let name = end; name !== start; ) {
    name = cameFrom.get(name) ?? start;
    way.unshift(name);
  }
  return way;
}
