import { openEndpoint } from "../../stream-carrier/testing/open-endpoint.ts";
import type { TwilioCarrier } from "../twilio-carrier.ts";

/** A public URL for a Twilio carrier in a test. */
export interface TwilioEndpoint {
  readonly url: string;
  /** Every callback that arrived, as received. */
  readonly callbacks: readonly { url: string; signature: string; parameters: Record<string, string> }[];
  serve(carrier: TwilioCarrier): void;
  close(): Promise<void>;
}

export async function openTwilioEndpoint(): Promise<TwilioEndpoint> {
  const endpoint = await openEndpoint();
  const callbacks: { url: string; signature: string; parameters: Record<string, string> }[] = [];
  let carrier: TwilioCarrier | null = null;
  endpoint.serve({
    handleCallback({ url, path, headers, body }) {
      const signature = String(headers["x-twilio-signature"]);
      const parameters = Object.fromEntries(new URLSearchParams(body));
      callbacks.push({ url, signature, parameters });
      const reply = carrier?.handleCallback({ path, signature, parameters }) ?? { status: 404, twiml: null };
      return { status: reply.status, body: reply.twiml ?? "" };
    },
    handleUpgrade(request, socket, head) {
      if (carrier !== null && request.url === carrier.streamPath) carrier.handleUpgrade(request, socket, head);
      else socket.destroy();
    },
  });
  return {
    url: endpoint.url,
    callbacks,
    serve(served) {
      carrier = served;
    },
    close: () => endpoint.close(),
  };
}
