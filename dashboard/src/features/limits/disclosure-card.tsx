import { Card } from "../../ui/card.tsx";

/** What callees are told is part of each agent; whoever looks for it here learns where it is. */
export function DisclosureCard() {
  return (
    <Card title="What callees are told">
      <p className="text-sm text-ink-soft">
        Every agent says that a machine speaks, and that the call is recorded where it is. The words are part of the
        agent: change them there, under its settings, as <code className="text-[0.8125rem]">disclosure</code>. There is
        no line for all agents at once yet.
      </p>
    </Card>
  );
}
