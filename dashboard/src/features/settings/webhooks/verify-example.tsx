import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";

/** How a receiver verifies the signature. */
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

/** How a receiver verifies a request. The examples are complete: the first two use a Standard Webhooks library. */
const VERIFY_EXAMPLES = [
  {
    id: "node",
    label: "Node.js",
    code: `import { Webhook } from "standardwebhooks";

// Over the bytes as they came, before they are parsed. It throws when the signature is wrong or too old.
const event = new Webhook(secret).verify(body, headers);`,
  },
  {
    id: "python",
    label: "Python",
    code: `from standardwebhooks import Webhook

# Over the bytes as they came, before they are parsed. It raises when the signature is wrong or too old.
event = Webhook(secret).verify(body, headers)`,
  },
  {
    id: "by-hand",
    label: "Without a library",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

export function isOurs(secret, headers, body) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const sentAt = headers["webhook-timestamp"];
  const signed = \`\${headers["webhook-id"]}.\${sentAt}.\${body}\`;
  const wanted = createHmac("sha256", key).update(signed).digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(sentAt)) < 300;
  // During a rotation there are two signatures, with a space between them.
  const isSigned = headers["webhook-signature"].split(" ").some((each) => {
    const given = Buffer.from(each.replace("v1,", ""), "base64");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return isFresh && isSigned;
}`,
  },
] as const;
