import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { webhooksText } from "./text.tsx";

/** How a receiver verifies the signature. */
export function VerifyExample() {
  return (
    <Card title={webhooksText.checkTheSignature} isFlush>
      <p className="px-4 pb-3 text-sm text-ink-soft sm:px-5">
        {webhooksText.signatureHeaders((header) => (
          <code className="text-[0.8125rem]">{header}</code>
        ))}
      </p>
      <Tabs
        label={webhooksText.languages}
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

const SAMPLE_NODE = `import { Webhook } from "standardwebhooks";

// ${webhooksText.nodeComment}
const event = new Webhook(secret).verify(body, headers);`;

const SAMPLE_PYTHON = `from standardwebhooks import Webhook

# ${webhooksText.pythonComment}
event = Webhook(secret).verify(body, headers)`;

const SAMPLE_BY_HAND = `import { createHmac, timingSafeEqual } from "node:crypto";

export function isOurs(secret, headers, body) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const sentAt = headers["webhook-timestamp"];
  const signed = [headers["webhook-id"], sentAt, body].join(".");
  const wanted = createHmac("sha256", key).update(signed).digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(sentAt)) < 300;
  // ${webhooksText.rotationComment}
  const isSigned = headers["webhook-signature"].split(" ").some((each) => {
    const given = Buffer.from(each.replace("v1,", ""), "base64");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return isFresh && isSigned;
}`;

/** How a receiver verifies a request. The examples are complete: the first two use a Standard Webhooks library. */
const VERIFY_EXAMPLES = [
  {
    id: "node",
    label: "Node.js",
    code: SAMPLE_NODE,
  },
  {
    id: "python",
    label: webhooksText.python,
    code: SAMPLE_PYTHON,
  },
  {
    id: "by-hand",
    label: webhooksText.withoutALibrary,
    code: SAMPLE_BY_HAND,
  },
] as const;
