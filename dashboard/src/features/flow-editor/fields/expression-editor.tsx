import { autocompletion, type CompletionSource, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Range, RangeSet } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder as placeholderOf,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { completeExpression } from "@parley/flow/expression/complete";
import type { DeclaredName } from "@parley/flow/expression/declared-name";
import { EXPRESSION_LENGTH_MAX, type Mistake } from "@parley/flow/expression/expression";
import { tokenize } from "@parley/flow/expression/tokenize";
import { useEffect, useRef } from "react";

interface ExpressionEditorProps {
  readonly label: string;
  readonly description: string;
  readonly isWrong: boolean;
  readonly value: string;
  readonly placeholder: string;
  readonly declared: readonly DeclaredName[];
  readonly mistakes: readonly Mistake[];
  onChange(value: string): void;
}

/**
 * The editor lives in a shadow root: there it keeps its styles in a sheet that is adopted, where in the page it would
 * write a style element, which the page's policy forbids.
 */
export function ExpressionEditor(props: ExpressionEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  const { value, label, description, isWrong, mistakes } = props;

  useEffect(() => {
    const root = host.current?.shadowRoot ?? host.current?.attachShadow({ mode: "open" });
    if (!root) return undefined;
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorState.transactionFilter.of((change) =>
            // A condition is one line, and no longer than the contract allows.
            change.newDoc.lines > 1 || change.newDoc.length > EXPRESSION_LENGTH_MAX ? [] : change,
          ),
          history(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          autocompletion({ override: [offer], icons: false, defaultKeymap: false }),
          EditorView.lineWrapping,
          placeholderOf(latest.current.placeholder),
          attributes.of(attributesOf(latest.current)),
          markExpression,
          typing,
          LOOK,
          EditorView.updateListener.of((update) => {
            const text = update.state.doc.toString();
            if (update.docChanged && text !== latest.current.value) latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = editor;
    // From outside the shadow root a key looks as if it was pressed outside a field, and would trigger a shortcut of
    // the canvas.
    const keep = (event: Event) => event.stopPropagation();
    for (const type of KEPT_INSIDE) root.addEventListener(type, keep);
    return () => {
      for (const type of KEPT_INSIDE) root.removeEventListener(type, keep);
      editor.destroy();
    };
    function offer(context: Parameters<CompletionSource>[0]) {
      const { start, options } = completeExpression(context.state.doc.toString(), context.pos, latest.current.declared);
      if (options.length === 0 || (!context.explicit && start === context.pos)) return null;
      return {
        from: start,
        options: options.map(({ text, kind, detail }) => ({ label: text, type: kind, detail })),
        validFor: /^[\w.]*$/,
      };
    }
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    // It was changed elsewhere, such as by undo.
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: attributes.reconfigure(attributesOf({ label, description, isWrong })) });
  }, [label, description, isWrong]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const length = editor.state.doc.length;
    const found = mistakes.map(
      ({ start, end, message }): Diagnostic => ({
        from: Math.min(start, length),
        to: Math.min(Math.max(end, start + 1), length),
        severity: "error",
        message,
      }),
    );
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [mistakes]);

  return <div ref={host} className="block" />;
}

const attributes = new Compartment();
const KEPT_INSIDE = ["keydown", "copy", "cut", "paste"];

/**
 * Letters are put into the document and not into the page: there a browser that types over coloured text would write the
 * colour down as a style of its own, which the page's policy forbids.
 */
const typing = EditorView.domEventHandlers({
  beforeinput(event, editor) {
    if (event.inputType !== "insertText" || event.isComposing || event.data === null) return false;
    editor.dispatch(editor.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

function attributesOf({
  label,
  description,
  isWrong,
}: Pick<ExpressionEditorProps, "label" | "description" | "isWrong">) {
  return EditorView.contentAttributes.of({
    "aria-label": label,
    "aria-description": description,
    "aria-invalid": String(isWrong),
    spellcheck: "false",
    autocapitalize: "off",
  });
}

/** The colours are those of the page: its properties reach into the shadow. */
const LOOK = EditorView.theme({
  "&": {
    border: "1px solid var(--line-strong)",
    borderRadius: "0.5rem",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    fontSize: "0.8125rem",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
    lineHeight: "1.25rem",
  },
  ".cm-content": { padding: "0.5625rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 0.75rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-placeholder": { color: "var(--ink-soft)" },
  ".cm-name": { color: "var(--accent-text)" },
  ".cm-text, .cm-number": { color: "var(--warning-text)" },
  ".cm-word": { fontWeight: "600" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger) 1px",
    textUnderlineOffset: "4px",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "0.5rem",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    boxShadow: "0 8px 24px rgb(0 0 0 / 0.15)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxHeight: "14rem", padding: "0.25rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.25rem 0.5rem", borderRadius: "0.375rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--sunken)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal", marginLeft: "0.75rem" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--danger)", padding: "0.375rem 0.625rem" },
});

const WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "in", "true", "false", "null"]);
const MARKS = {
  name: Decoration.mark({ class: "cm-name" }),
  word: Decoration.mark({ class: "cm-word" }),
  text: Decoration.mark({ class: "cm-text" }),
  number: Decoration.mark({ class: "cm-number" }),
};

/** Colours the parts of an expression as the compiler reads them. */
const markExpression = ViewPlugin.fromClass(
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
