import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { uiText } from "../text.ts";
import { Button } from "./button.tsx";

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** The text to display, where the copied value is hard to read. */
  readonly shown?: string;
  /** Whether the text may take several lines. */
  readonly isLong?: boolean;
}

const SAID_MS = 2000;

/** A read-only text with a button that copies it. */
export function CopyField({ label, value, shown = value, isLong = false }: CopyFieldProps) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    setSaid(await copyText(value));
    setTimeout(() => setSaid(""), SAID_MS);
  };
  const isCopied = said === uiText.copied;
  return (
    <div className="space-y-1.5">
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm font-medium">{label}</span>
        <Button
          size="small"
          onClick={() => void copy()}
          // The name of a button contains what is written on it.
          aria-label={said === "" ? uiText.copyNamed(label) : undefined}
        >
          {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          {said || uiText.copy}
        </Button>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long is scrolled to, also by keyboard.
        tabIndex={0}
        className={`max-h-112 overflow-auto rounded-lg bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] leading-5 ${isLong ? "whitespace-pre" : "break-all whitespace-pre-wrap"}`}
      >
        <code>{shown}</code>
      </pre>
      <span role="status" className="sr-only">
        {said}
      </span>
    </div>
  );
}

/** Browsers deny clipboard access on pages loaded over plain HTTP from another machine. */
export async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return uiText.copied;
  } catch {
    return uiText.selectAndCopy;
  }
}
