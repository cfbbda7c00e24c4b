import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { VERIFY_EXAMPLES } from "./verify-examples.ts";

/** What a receiver does with the secret. */
export function VerifyExample() {
  return (
    <Card title="Check the signature" isFlush>
      <p className="px-4 pb-3 text-sm text-ink-soft sm:px-5">
        Every request carries <code className="text-[0.8125rem]">webhook-id</code>,{" "}
        <code className="text-[0.8125rem]">webhook-timestamp</code> and{" "}
        <code className="text-[0.8125rem]">webhook-signature</code>, by the rules of Standard Webhooks. Events may come
        twice: remember the id and skip what you have seen.
      </p>
      <Tabs
        label="Languages"
        tabs={VERIFY_EXAMPLES.map(({ id, label, code }) => ({
          id,
          label,
          content: (
            <div className="px-4 py-4 sm:px-5">
              <CopyField label={label} value={code} isLong />
            </div>
          ),
        }))}
      />
    </Card>
  );
}
