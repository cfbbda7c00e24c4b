import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ClosedBecause } from "../websocket/vendor-socket.ts";

/** What ElevenLabs reports in messages and close reasons, as clauses after its name. */
const COMPLAINTS: Readonly<Record<string, ClosedBecause>> = {
  auth_error: { complaint: "refused the API key", retryable: false },
  invalid_api_key: { complaint: "refused the API key", retryable: false },
  missing_permissions: { complaint: "does not allow this API key to do that", retryable: false },
  unaccepted_terms: { complaint: "wants its terms accepted first", retryable: false },
  quota_exceeded: { complaint: "has no credit left on this account", retryable: false },
  voice_not_found: { complaint: "does not know this voice", retryable: false },
  voice_id_does_not_exist: { complaint: "does not know this voice", retryable: false },
  model_not_found: { complaint: "does not know this model", retryable: false },
  invalid_request: { complaint: "refused the request", retryable: false },
  input_error: { complaint: "did not understand what was sent to it", retryable: false },
  chunk_size_exceeded: { complaint: "received too much audio at once", retryable: false },
  rate_limited: { complaint: "takes no more requests at the moment", retryable: true },
  too_many_concurrent_requests: { complaint: "takes no more requests at the moment", retryable: true },
  max_active_conversations: { complaint: "takes no more requests at the moment", retryable: true },
  system_busy: { complaint: "is overloaded", retryable: true },
  queue_overflow: { complaint: "is overloaded", retryable: true },
  resource_exhausted: { complaint: "is overloaded", retryable: true },
  commit_throttled: { complaint: "was asked for results too often", retryable: true },
  transcriber_error: { complaint: "failed to recognize speech", retryable: true },
  session_time_limit_exceeded: { complaint: "ended the connection, because it lasted too long", retryable: true },
  insufficient_audio_activity: { complaint: "ended the connection, because it heard nothing", retryable: true },
};

/** Whether a message of this type reports a failure. */
export function isElevenLabsError(type: string): boolean {
  return type === "error" || type in COMPLAINTS;
}

export function explainElevenLabsError(provider: string, error: string, detail: string): ProviderError {
  const { complaint, retryable } = COMPLAINTS[error] ?? { complaint: "reported a failure", retryable: true };
  return new ProviderError(provider, `ElevenLabs ${complaint}${detail === "" ? "." : `: ${detail}`}`, { retryable });
}

/** Reasons of closed connections begin with the name of the error, or are plain text. */
export function explainElevenLabsClose(_code: number, reason: string): ClosedBecause | null {
  const name = Object.keys(COMPLAINTS).find((each) => reason.includes(each));
  return name === undefined ? null : (COMPLAINTS[name] ?? null);
}
