import { useState } from "react";
import { CopyField } from "../../ui/forms/copy-field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { snippetsText } from "./text.ts";
import {
  SNIPPET_LABELS,
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
  type SnippetRequest,
  writeSnippet,
} from "./write-snippet.ts";

const KEPT_AS = "parley.snippet-language";

function readLanguage(): SnippetLanguage {
  const kept = localStorage.getItem(KEPT_AS);
  return SNIPPET_LANGUAGES.find((language) => language === kept) ?? "curl";
}

/** A request to the API in the reader's language, ready to copy. The choice is remembered. */
export function Snippets({ label, request }: { readonly label: string; readonly request: SnippetRequest }) {
  const [language, setLanguage] = useState(readLanguage);
  return (
    <div className="space-y-2">
      <Segmented
        label={snippetsText.language}
        value={language}
        choices={SNIPPET_LANGUAGES.map((value) => ({ value, label: SNIPPET_LABELS[value] }))}
        onChoose={(next) => {
          localStorage.setItem(KEPT_AS, next);
          setLanguage(next);
        }}
      />
      <CopyField label={label} value={writeSnippet(language, location.origin, request)} isLong />
    </div>
  );
}
