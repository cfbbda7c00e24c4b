import type { Mode } from "@parley/contract/shared-fields";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { keepMode } from "./last-mode.ts";

interface ModeChoice {
  readonly mode: Mode;
  chooseMode(mode: Mode): void;
}

const ModeContext = createContext<ModeChoice>({ mode: "test", chooseMode: () => undefined });

/** The mode as it stands in the URL, so that a link opens in the mode it was copied in. Without it, test. */
interface ModeSearch {
  readonly mode?: "live";
}

export function readModeSearch(search: Record<string, unknown>): ModeSearch {
  return search["mode"] === "live" ? { mode: "live" } : {};
}

/** Whether the page shows test or live calls. Everything below follows the choice. */
export function ModeProvider({ children }: { readonly children: ReactNode }) {
  const mode: Mode = useSearch({ from: "/signed-in" }).mode ?? "test";
  const navigate = useNavigate();
  const choice = useMemo(
    () => ({
      mode,
      chooseMode: (next: Mode) => {
        keepMode(next);
        void navigate({
          to: ".",
          search: (now) => ({ ...now, mode: next === "live" ? next : undefined }) as never,
        });
      },
    }),
    [mode, navigate],
  );
  return <ModeContext value={choice}>{children}</ModeContext>;
}

export function useMode(): ModeChoice {
  return useContext(ModeContext);
}
