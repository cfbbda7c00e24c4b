/**
 * The README of a package as it is published: links into this repository lead nowhere from there, so documents are named by where
 * every installation serves them.
 */
export function publishedReadme(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\((\.\.?\/[^)]+)\)/g, (_, label: string, target: string) => {
    const [, page] = /^(?:\.\.\/)+(docs\/.+)\.md(?:#.*)?$/.exec(target) ?? [];
    if (page === undefined) return label;
    const address = `\`/${page}\` of your Parley service`;
    return label.startsWith("docs/") ? address : `${label} (${address})`;
  });
}
