import type { SampleAgent } from "./sample-agent.ts";
import { humanNodes, menuNodes, outcomeNodes, sampleSettings, wrongNumberNodes } from "./sample-nodes.ts";
import { RECEPTIONIST_SCENARIOS } from "./scenarios/receptionist.ts";

const PROMPT = `You are the friendly receptionist of [[{{business}}|the business]]. You called back somebody who had contacted the business.
Find out what they want, and answer questions from these facts alone: {{facts}}
When you do not know something, say so, and offer to take a message.
To take a message you need their name, what it is about, and when they can be reached. Ask for one of these at a time, and read the message back before you leave.`;

/** Talks freely. It needs a language model, so it is the last of the samples. */
export const RECEPTIONIST: SampleAgent = {
  id: "receptionist",
  name: "Receptionist",
  description:
    'Talks freely: answers questions from the facts it is given, and takes a message. It needs a language model; calls are refused until one is configured. The result is collected as outcome: message_taken (with caller_name, message, reachable), helped, wrong_number, wants_human. Variables: business ("Harbor Hotel"), facts ("Breakfast is from seven to ten. Parking costs ten dollars."), from_whom ("from Harbor Hotel"), desk_number ("+15550100100", for callees who want a person).',
  language: "en-US",
  scenarios: RECEPTIONIST_SCENARIOS,
  flow: {
    schemaVersion: 1,
    variables: ["business", "facts", "from_whom", "desk_number"],
    settings: sampleSettings("This is an automated call {{from_whom}}, because you got in touch with us."),
    nodes: [
      { id: "start", type: "start", next: "greeting" },
      {
        id: "greeting",
        type: "say",
        label: "Say who calls",
        text: "Hi, I'm calling {{from_whom}} because you got in touch with us.",
        next: "chat",
      },
      {
        id: "chat",
        type: "conversation",
        label: "Answer and take a message",
        text: "How can I help you?",
        prompt: PROMPT,
        exits: [
          { when: "The callee has confirmed the message that you read back.", next: "message_taken" },
          { when: "The callee wants to speak with a person.", next: "human" },
          { when: "The callee needs nothing more.", next: "helped" },
        ],
        saves: [
          { saveAs: "caller_name", description: "The name of the callee." },
          { saveAs: "message", description: "The message in one or two sentences." },
          { saveAs: "reachable", description: "When the callee can be reached." },
        ],
        turnsMax: 30,
        otherwise: "wants_human",
      },
      ...outcomeNodes("message_taken", "Thanks, I'll pass your message on to the team. Goodbye."),
      ...outcomeNodes("helped", "Thanks for your time. Goodbye."),
      ...wrongNumberNodes(),
      ...menuNodes("greeting"),
      ...humanNodes(),
      {
        id: "voicemail_message",
        type: "voicemail",
        text: "Hi, this is an automated message {{from_whom}}. You got in touch with us, so please give us a call back. Thanks, and goodbye.",
      },
    ],
  },
};
