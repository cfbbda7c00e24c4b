/** The chapters of the reference, in its order. */
export const TAGS: Readonly<Record<string, string>> = {
  Calls: "Place calls, follow them live and read how they ended.",
  Agents: "What an agent says and asks: a draft that is changed freely, and versions that calls are pinned to.",
  "Trying agents": "Talking to an agent before anybody is called, and scenarios that say what must come of a call.",
  Webhooks: "Where events of calls are sent, what was sent there, and how to send it again.",
  Engines: "The ways a call can be conducted, and what the unavailable ones miss.",
  Billing: "The credit of the account, every change of it, and what a call costs.",
  "Suppression list": "Numbers the account never calls.",
  Settings: "Spend caps, calling hours, retention and disclosure of the account.",
  "Sign-in": "How people get in: sign-up, sign-in, invitations and passwords.",
  "API keys": "Keys are made by people; a key can never make a key.",
  Members: "The people of the account, and the record of what was done.",
  Operator: "What only the people who run this installation may see and change.",
  Trunks: "The ways into the telephone network that this installation rents, and which numbers go out on which.",
};
