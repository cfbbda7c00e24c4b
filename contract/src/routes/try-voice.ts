import { z } from "zod";
import { idSchema } from "../ids.ts";
import { defineRoute } from "../route.ts";

export const tryAgentByVoice = defineRoute({
  id: "tryAgentByVoice",
  method: "GET",
  path: "/api/v1/agents/{id}/try/voice",
  tag: "Trying agents",
  summary:
    "Talk to an agent by voice; a WebSocket. Send `TryVoiceCommand` as JSON, `start` first, and the microphone as binary messages; `TryVoiceEvent` comes back as JSON, and the agent's voice as binary messages. Audio is 16-bit little-endian mono, the agent's at 8 kHz. At most ten minutes, one at a time per member; nothing is dialed, charged or recorded",
  access: { by: "key_or_member", scope: "agents:write" },
  params: z.strictObject({ id: idSchema("agent") }),
  data: z.string(),
  alsoProduces: ["application/octet-stream"],
  producesJson: false,
  errors: ["agent_not_found", "bad_request", "invalid_state", "unavailable"],
});
