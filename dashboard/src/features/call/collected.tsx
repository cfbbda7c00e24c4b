import type { Call } from "@parley/contract/calls";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";

/** What the agent found out. */
export function Collected({ collected }: { readonly collected: Call["collected"] }) {
  const entries = Object.entries(collected ?? {});
  if (entries.length === 0) return null;
  return (
    <Card title="Collected">
      <Facts facts={entries.map(([name, value]) => ({ name: name.replaceAll("_", " "), value: inText(value) }))} />
    </Card>
  );
}

function inText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "–" : JSON.stringify(value);
}
