import { Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { useIsLive } from "./live-changes.tsx";

/** A stream that is opened anew at once is nothing to tell anybody. */
const PATIENCE_MS = 1500;

/** Says that the service is away for as long as it is. What is on the page stays, also what was typed. */
export function AwayBanner() {
  const isLive = useIsLive();
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (isLive) return setAway(false);
    const timer = setTimeout(() => setAway(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  return (
    <div role="status">
      {isAway ? (
        <p className="flex items-center gap-3 bg-warning-soft px-4 py-2.5 text-sm text-warning-text sm:px-8">
          <Unplug aria-hidden="true" className="size-4.5 shrink-0" />
          <span>
            <span className="font-medium">Connecting again…</span> The service cannot be reached. What you see may be
            old; it is brought up to date as soon as it is back.
          </span>
        </p>
      ) : null}
    </div>
  );
}
