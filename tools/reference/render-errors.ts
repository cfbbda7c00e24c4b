import { ERROR_CODES, ERRORS } from "@parley/contract/errors";

/** The page of error codes, from the list the service itself answers with. */
export function renderErrors(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, retryable, meaning } = ERRORS[code];
    return `| <a id="${code}"></a>\`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${meaning} |`;
  });
  return `# Error codes

<!-- Written by \`node tools/run.mjs tools/write-reference.ts\` from contract/src/errors.ts. -->

Every error has the same shape:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "validation_failed",
    "message": "phoneNumber must be a plus sign followed by 7 to 15 digits.",
    "param": "phoneNumber",
    "details": [{ "param": "phoneNumber", "code": "not_e164", "message": "must be a plus sign followed by 7 to 15 digits" }],
    "requestId": "req_01k8m3v9zq4t6w8y0a2c4e6g8j",
    "docUrl": "/docs/errors#validation_failed",
    "retryable": false
  }
}
\`\`\`

Use \`code\` in your program; \`message\` is for humans and its wording may change. If \`retryable\` is true, the same request may
succeed later: wait for \`Retry-After\` if it is sent.

| code | HTTP | retryable | meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}
