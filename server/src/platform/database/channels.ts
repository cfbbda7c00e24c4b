/** Notifies the delivering processes that events for webhooks are waiting. */
export const DELIVERIES_CHANNEL = "parley_webhooks";
