import type { Mode } from "@parley/contract/shared-fields";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

const KEPT_AS = "parley.mode";

interface ModeChoice {
  readonly mode: Mode;
  chooseMode(mode: Mode): void;
}

const ModeContext = createContext<ModeChoice>({ mode: "test", chooseMode: () => undefined });

/** Whether the page shows test or live calls. Everything below follows the choice. */
export function ModeProvider({ children }: { readonly children: ReactNode }) {
  const [mode, setMode] = useState<Mode>(() => (localStorage.getItem(KEPT_AS) === "live" ? "live" : "test"));
  const choice = useMemo(
    () => ({
      mode,
      chooseMode: (next: Mode) => {
        localStorage.setItem(KEPT_AS, next);
        setMode(next);
      },
    }),
    [mode],
  );
  return <ModeContext value={choice}>{children}</ModeContext>;
}

export function useMode(): ModeChoice {
  return useContext(ModeContext);
}
