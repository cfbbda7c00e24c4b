interface Chunk {
  readonly fileName: string;
  readonly facadeModuleId: string | null;
  readonly imports: readonly string[];
  readonly moduleIds: readonly string[];
}

/** The chunk of a module, and every chunk that is loaded with it. */
export function withImports(chunks: readonly Chunk[], module: string): readonly Chunk[] {
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (!first) throw new Error(`the build has no chunk of ${module}`);
  const found = new Set([first]);
  // What is added meanwhile is visited too.
  for (const { imports } of found) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  }
  return [...found];
}
