const LASTS_SECONDS = 7 * 24 * 3600;

/** Browsers take a `__Host-` cookie only from https, for this host alone and for every path: where we can, we ask for that. */
export function cookieNameFor(publicUrl: string): string {
  return isHttps(publicUrl) ? "__Host-parley" : "parley";
}

/** The Set-Cookie value that signs a browser in. */
export function signInCookie(publicUrl: string, token: string): string {
  return writeCookie(publicUrl, token, LASTS_SECONDS);
}

/** The Set-Cookie value that makes a browser forget. */
export function signOutCookie(publicUrl: string): string {
  return writeCookie(publicUrl, "", 0);
}

function writeCookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "HttpOnly", "SameSite=Lax"];
  if (isHttps(publicUrl)) attributes.push("Secure");
  return [`${cookieNameFor(publicUrl)}=${value}`, ...attributes].join("; ");
}

function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === "https:";
}
