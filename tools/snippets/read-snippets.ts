/** A fenced block of a document. */
export interface Snippet {
  readonly path: string;
  /** The line of its first line. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

const FENCE = /^```(?<language>\w*)\n(?<text>.*?)^```$/gms;

export function readSnippets(path: string, document: string): Snippet[] {
  return [...document.matchAll(FENCE)].map(({ index, groups }) => ({
    path,
    line: document.slice(0, index).split("\n").length + 1,
    language: groups?.["language"] ?? "",
    text: groups?.["text"] ?? "",
  }));
}
