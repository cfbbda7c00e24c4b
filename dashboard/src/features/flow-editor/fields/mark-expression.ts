import { type Range, RangeSet } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tokenize } from "@parley/flow/expression/tokenize";

const WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "in", "true", "false", "null"]);
const MARKS = {
  name: Decoration.mark({ class: "cm-name" }),
  word: Decoration.mark({ class: "cm-word" }),
  text: Decoration.mark({ class: "cm-text" }),
  number: Decoration.mark({ class: "cm-number" }),
};

/** Colours the parts of an expression as the compiler reads them. */
export const markExpression = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = marksOf(view.state.doc.toString());
    }

    update(update: ViewUpdate): void {
      if (update.docChanged) this.decorations = marksOf(update.state.doc.toString());
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function marksOf(text: string): DecorationSet {
  const ranges = tokenize(text).tokens.flatMap((token): Range<Decoration>[] => {
    if (token.end <= token.start) return [];
    if (token.type === "name") {
      return [(WORDS.has(token.text) ? MARKS.word : MARKS.name).range(token.start, token.end)];
    }
    return token.type === "sign" ? [] : [MARKS[token.type].range(token.start, token.end)];
  });
  return RangeSet.of(ranges, true);
}
