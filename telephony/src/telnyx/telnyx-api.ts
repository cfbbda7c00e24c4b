import type { Clock } from "@parley/time/clock";
import { objectOf } from "../stream-carrier/stream-message.ts";
import { VendorHttp, type VendorReply } from "../stream-carrier/vendor-http.ts";

export interface TelnyxApiOptions {
  readonly clock: Clock;
  /** Read for each request, so that it may be a getter. */
  readonly apiKey: string;
  /** Telnyx's own host by default. The API key is sent there and nowhere else. */
  readonly baseUrl?: string;
}

/** A Voice API application (formerly Call Control application or connection). */
export interface TelnyxApplication {
  readonly isActive: boolean;
  /** Without an outbound voice profile every call is refused. */
  readonly hasOutboundProfile: boolean;
  /** Webhooks of version 1 have another form, and another signature. */
  readonly webhookVersion: string;
}

const CALL_HAS_ENDED = "90018";

/** The part of Telnyx's API that calls need. Nothing is retried here, and redirects are not followed. */
export class TelnyxApi {
  readonly #options: TelnyxApiOptions;
  readonly #base: string;
  readonly #http: VendorHttp;

  constructor(options: TelnyxApiOptions) {
    this.#options = options;
    this.#base = (options.baseUrl ?? "https://api.telnyx.com/v2").replace(/\/+$/, "");
    this.#http = new VendorHttp("Telnyx", options.clock);
  }

  get openRequests(): number {
    return this.#http.openRequests;
  }

  close(): void {
    this.#http.close();
  }

  get(path: string): Promise<VendorReply> {
    const authorization = `Bearer ${this.#options.apiKey}`;
    return this.#http.send({ method: "GET", url: new URL(this.#base + path), headers: { authorization } });
  }

  post(path: string, fields: object, limitMs?: number): Promise<VendorReply> {
    const headers = { authorization: `Bearer ${this.#options.apiKey}`, "content-type": "application/json" };
    const limit = limitMs === undefined ? {} : { limitMs };
    const body = JSON.stringify(fields);
    return this.#http.send({ method: "POST", url: new URL(this.#base + path), headers, body, ...limit });
  }

  /** Ends a call in any state. True when Telnyx confirmed it, or that it was over; false when a retry makes sense. */
  async endCall(id: string): Promise<boolean> {
    const reply = await this.post(actionPath(id, "hangup"), {});
    return reply.status === 200 || reply.status === 404 || errorOf(reply).code === CALL_HAS_ENDED;
  }

  /** Also tells whether the API key is right. The application is null if the account has none with this id. */
  async fetchApplication(
    connectionId: string,
  ): Promise<{ readonly isKeyRight: boolean; readonly application: TelnyxApplication | null }> {
    const reply = await this.get(`/call_control_applications/${encodeURIComponent(connectionId)}`);
    const { status, body } = reply;
    if (status === 401 || status === 403) return { isKeyRight: false, application: null };
    // An id that cannot exist is answered with 422.
    if (status === 404 || status === 422) return { isKeyRight: true, application: null };
    if (status !== 200) throw new Error(`HTTP status ${status}`);
    const { active, outbound, webhook_api_version: webhookVersion } = objectOf(body["data"]);
    const { outbound_voice_profile_id: profileId } = objectOf(outbound);
    const application = {
      isActive: active === true,
      hasOutboundProfile: typeof profileId === "string" && profileId !== "",
      webhookVersion: String(webhookVersion),
    };
    return { isKeyRight: true, application };
  }

  /** Whether calls may show a number: one of the account, or one that it has verified. */
  async mayShow(number: string): Promise<boolean> {
    // The filter takes digits only, and also finds numbers that contain them.
    const query = new URLSearchParams({ "filter[phone_number]": number.replace(/\D/g, ""), "page[size]": "50" });
    const owned = await this.get(`/phone_numbers?${query}`);
    if (owned.status !== 200) throw new Error(`HTTP status ${owned.status}`);
    const listed = Array.isArray(owned.body["data"]) ? owned.body["data"] : [];
    if (listed.some((entry: unknown) => objectOf(entry)["phone_number"] === number)) return true;
    const { status, body } = await this.get(`/verified_numbers/${encodeURIComponent(number)}`);
    if (status === 404) return false;
    if (status !== 200) throw new Error(`HTTP status ${status}`);
    return typeof objectOf(body["data"])["verified_at"] === "string";
  }
}

export function actionPath(id: string, action: string): string {
  return `/calls/${encodeURIComponent(id)}/actions/${action}`;
}

export function errorOf({ status, body }: VendorReply): { readonly code: string | null; readonly message: string } {
  const [first] = Array.isArray(body["errors"]) ? body["errors"] : [];
  const { code, title, detail } = objectOf(first);
  const said = [detail, title].find((text) => typeof text === "string");
  return {
    code: code === undefined ? null : String(code),
    message: typeof said === "string" ? said : `HTTP status ${status}`,
  };
}
