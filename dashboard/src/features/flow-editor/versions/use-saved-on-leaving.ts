import { useEffect } from "react";
import { useToast } from "../../../ui/toast.tsx";
import type { OpenedAgent } from "../open-agent.ts";
import type { DraftSaver } from "./draft-saver.ts";

/** Saves for as long as the page is open, keeps what is not saved when it goes, and says when something came back. */
export function useSavedOnLeaving(saver: DraftSaver, { agent, unsaved }: OpenedAgent): void {
  const toast = useToast();
  useEffect(() => {
    const stop = saver.start();
    const keep = () => saver.keepNow();
    addEventListener("pagehide", keep);
    addEventListener("online", saver.retry);
    return () => {
      removeEventListener("pagehide", keep);
      removeEventListener("online", saver.retry);
      // Whoever goes to another page need not wait for the pause.
      saver.retry();
      stop();
    };
  }, [saver]);
  useEffect(() => {
    if (unsaved?.revision === agent.revision) toast({ text: "Changes that were not saved last time are back." });
  }, [unsaved, agent.revision, toast]);
}
