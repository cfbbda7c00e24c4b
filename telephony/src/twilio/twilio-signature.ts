import { createHmac, timingSafeEqual } from "node:crypto";

/** The form parameters of a request. */
export type FormParameters = Readonly<Record<string, string>>;

/**
 * The value of X-Twilio-Signature for a form request: HMAC-SHA1, keyed with the account's auth token, over the full public URL followed
 * by every parameter's name and value, sorted by name.
 */
export function signTwilioRequest(authToken: string, url: string, parameters: FormParameters): string {
  const signed = Object.keys(parameters)
    .sort()
    .reduce((text, name) => `${text}${name}${parameters[name] ?? ""}`, url);
  return createHmac("sha1", authToken).update(signed, "utf8").digest("base64");
}

/** Whether Twilio sent the request. `url` is the URL that Twilio was given, not the one behind a proxy. */
export function isSignedByTwilio(
  authToken: string,
  signature: string | undefined,
  url: string,
  parameters: FormParameters,
): boolean {
  if (signature === undefined) return false;
  const expected = Buffer.from(signTwilioRequest(authToken, url, parameters));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
