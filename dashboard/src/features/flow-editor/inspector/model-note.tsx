import { useQuery } from "@tanstack/react-query";
import { enginesQuery } from "../../calls/agent-queries.ts";

/** Which language model speaks or judges here. It is chosen once for the installation. */
export function ModelNote() {
  const { data: engines } = useQuery(enginesQuery);
  if (!engines) return null;
  const model = engines.find(({ isDefault }) => isDefault)?.model;
  return (
    <p className="text-sm text-ink-soft">
      {model?.name ? (
        <>
          Model: <span className="font-mono text-[0.8125rem] text-ink">{model.name}</span>
          {model.fallbacks.length > 0 ? `, then ${model.fallbacks.join(", ")}` : ""}
        </>
      ) : (
        `No language model is set up. An operator sets ${model?.missing.join(", ") || "one"} for the installation.`
      )}
    </p>
  );
}
