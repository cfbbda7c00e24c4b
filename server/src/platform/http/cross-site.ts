import { AppError } from "@parley/contract/errors";

export interface SiteHeaders {
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** The origins under which people reach the dashboard. */
  readonly ownOrigins: readonly string[];
  readonly hasCookie: boolean;
}

/**
 * Refuses unsafe requests that another site makes in a member's name. With a cookie the `Origin` must be there and
 * match; without one it must match if it is there, so that nobody is signed in from elsewhere.
 */
export function refuseCrossSite(headers: SiteHeaders): void {
  if (headers.method === "GET") return;
  const siteIsFine =
    headers.fetchSite === undefined || headers.fetchSite === "same-origin" || headers.fetchSite === "none";
  const originIsFine = headers.origin === undefined ? !headers.hasCookie : headers.ownOrigins.includes(headers.origin);
  if (!siteIsFine || !originIsFine)
    throw new AppError("cross_site", "Cookie requests must come from this site: send a matching Origin.");
}
