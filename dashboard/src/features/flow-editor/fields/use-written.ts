import { useState } from "react";

interface Written {
  readonly shown: string;
  /** Whether what is shown is what is kept. */
  readonly isTaken: boolean;
  write(text: string): void;
  /** When the field is left: what was not taken goes back to what is kept. */
  leave(): void;
}

type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * A field whose text may be half written: it is kept as soon as it can be, and until then it stands in the field and not
 * in the document, which could not be saved with it.
 */
export function useWritten(kept: string, read: (text: string) => Reading, onChange: (value: unknown) => void): Written {
  const [written, setWritten] = useState<string | null>(null);
  const shown = written ?? kept;
  return {
    shown,
    isTaken: shown === kept || read(shown).ok,
    write(text) {
      setWritten(text);
      const reading = read(text);
      if (reading.ok) onChange(reading.value);
    },
    leave: () => setWritten(null),
  };
}
