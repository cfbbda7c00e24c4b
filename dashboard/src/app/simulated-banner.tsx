import { useQuery } from "@tanstack/react-query";
import { PhoneOff } from "lucide-react";
import { accountQuery } from "../api/sign-in-state.ts";
import { useMode } from "./mode.tsx";

/** Says, wherever one is, that live calls reach nobody yet. */
export function SimulatedBanner() {
  const { mode } = useMode();
  const { data: account } = useQuery(accountQuery);
  if (mode !== "live" || account?.liveNetwork !== "simulated") return null;
  return (
    <div role="status" className="border-b border-line bg-warning-soft text-warning-text">
      <p className="mx-auto flex max-w-6xl items-start gap-2.5 px-4 py-2 text-sm sm:px-8">
        <PhoneOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          Live calls go to the simulated network and reach nobody, because no trunk is connected to this installation
          yet. They are charged from the credit.
        </span>
      </p>
    </div>
  );
}
