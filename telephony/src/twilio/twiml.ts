/** TwiML that connects the callee to our stream. Nothing follows: a call whose stream ends, or is refused, is hung up by Twilio. */
export function connectStreamTwiml(streamUrl: string, token: string): string {
  const parameter = `<Parameter name="token" value="${escapeXml(token)}"/>`;
  return `<Response><Connect><Stream url="${escapeXml(streamUrl)}">${parameter}</Stream></Connect></Response>`;
}

export interface DialTwiml {
  readonly to: string;
  readonly callerId: string | null;
  readonly timeoutS: number;
  /** Asked for more TwiML when the dialed party is gone or did not answer. */
  readonly actionUrl: string;
  /** Notified of the progress of the dialed party. */
  readonly statusUrl: string;
}

/** TwiML that connects the callee with another party. */
export function dialTwiml({ to, callerId, timeoutS, actionUrl, statusUrl }: DialTwiml): string {
  const shown = callerId === null ? "" : ` callerId="${escapeXml(callerId)}"`;
  const events = 'statusCallbackEvent="initiated ringing answered completed"';
  const number = `<Number ${events} statusCallback="${escapeXml(statusUrl)}">${escapeXml(to)}</Number>`;
  return `<Response><Dial timeout="${timeoutS}" action="${escapeXml(actionUrl)}"${shown}>${number}</Dial></Response>`;
}

export const HANG_UP_TWIML = "<Response><Hangup/></Response>";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
