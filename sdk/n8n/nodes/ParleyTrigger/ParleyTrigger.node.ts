import type {
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from "n8n-workflow";
import { NodeConnectionTypes } from "n8n-workflow";
import { hasSubscription, subscribe, unsubscribe } from "../../src/subscription.ts";
import { findForgery } from "../../src/verify-signature.ts";

/** @public n8n loads it by the name of the file. */
export class ParleyTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Parley Trigger",
    name: "parleyTrigger",
    icon: { light: "file:../Parley/parley.svg", dark: "file:../Parley/parley.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when a call of Parley is answered, ends or is analyzed",
    defaults: { name: "Parley Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "parleyApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["call.analyzed", "call.failed"],
        description: "Every call ends with exactly one of Call Completed and Call Failed",
        options: [
          {
            name: "Alert Raised",
            value: "alert.raised",
            description: "A figure went beyond a threshold of the account",
          },
          { name: "Alert Resolved", value: "alert.resolved", description: "A figure recovered" },
          {
            name: "Call Analyzed",
            value: "call.analyzed",
            description: "An answered call has ended and its outcome is available",
          },
          { name: "Call Answered", value: "call.in_progress", description: "The call was answered" },
          { name: "Call Completed", value: "call.completed", description: "An answered call ended" },
          { name: "Call Failed", value: "call.failed", description: "The call ended without a conversation" },
          { name: "Call Initiated", value: "call.initiated", description: "The call was accepted" },
          { name: "Credit Low", value: "credit.low", description: "The balance fell below the limit in the settings" },
          { name: "Recording Ready", value: "call.recording.ready", description: "The recording is available" },
          {
            name: "Transcript Ready",
            value: "call.transcript.ready",
            description: "The complete transcript is available",
          },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return hasSubscription(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await subscribe(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData("node") as { secret?: string };
    const forgery = findForgery(rawBody, this.getHeaderData(), secret ?? "", Date.now());
    if (forgery !== null) {
      this.getResponseObject().status(401).json({ message: forgery });
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(rawBody.toString("utf8"));
    // A test event, which can be sent from the dashboard, shows that the address works and starts nothing.
    const events = this.getNodeParameter("events") as string[];
    if (!events.includes(event.type)) return { webhookResponse: { ignored: event.type } };
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}
