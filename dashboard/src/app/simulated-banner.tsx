import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneOff } from "lucide-react";
import { accountQuery, meQuery } from "../api/sign-in-state.ts";
import { useMode } from "./mode.tsx";

/** Shown on every page in live mode while no trunk is connected. */
export function SimulatedBanner() {
  const { mode } = useMode();
  const { data: account } = useQuery(accountQuery);
  const { data: me } = useQuery(meQuery);
  if (mode !== "live" || account?.liveNetwork !== "simulated") return null;
  return (
    <div role="status" className="border-b border-line bg-warning-soft text-warning-text">
      <p className="mx-auto flex max-w-6xl items-start gap-2.5 px-4 py-2 text-sm sm:px-8">
        <PhoneOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          Live calls don’t reach anyone yet: until a trunk is connected, they go to the simulated network.{" "}
          {account.liveCallsCharged ? "They are charged to your credit." : "You aren’t charged for them."}{" "}
          {me?.member.isOperator ? (
            <Link to="/operator/trunks" className="font-medium underline underline-offset-2">
              Connect a trunk
            </Link>
          ) : (
            "Ask the operator of this installation to connect one."
          )}
        </span>
      </p>
    </div>
  );
}
