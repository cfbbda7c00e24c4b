import type { SampleAgent } from "./sample-agent.ts";
import { humanNodes, menuNodes, notNowNodes, outcomeNodes, sampleSettings, wrongNumberNodes } from "./sample-nodes.ts";
import { DELIVERY_SCENARIOS } from "./scenarios/delivery-notice.ts";

/** Announces a parcel and finds out what to do when nobody is there. */
export const DELIVERY_NOTICE: SampleAgent = {
  id: "delivery_notice",
  name: "Delivery notice",
  description:
    'Announces a parcel and asks where to leave it when nobody is in. What came of it is collected as outcome: as_planned, with_neighbor (with neighbor_name), at_the_door, on_another_day (with delivery_date), wrong_number, not_now, wants_human or not_understood. Variables: first_name ("Ada"), from_whom ("from Swift Parcels"), parcel ("with your new lamp"), delivery_time ("tomorrow between nine and noon"), desk_number ("+15550100100", for callees who want a person).',
  language: "en-US",
  scenarios: DELIVERY_SCENARIOS,
  flow: {
    schemaVersion: 1,
    variables: ["first_name", "from_whom", "parcel", "delivery_time", "desk_number"],
    settings: sampleSettings("This is an automated call {{from_whom}} about a parcel for you."),
    nodes: [
      { id: "start", type: "start", next: "notice" },
      {
        id: "notice",
        type: "say",
        label: "Announce the parcel",
        text: "Hello {{first_name}}. This is an automated call {{from_whom}}. Your parcel {{parcel}} will be delivered {{delivery_time}}.",
        next: "someone_home",
      },
      {
        id: "someone_home",
        type: "ask",
        label: "Is someone in?",
        text: "Will someone be there to take it?",
        reworded: "When the driver rings, will anybody be at home?",
        answer: "yes_no",
        saveAs: "someone_home",
        exits: [
          {
            when: "yes",
            next: "as_planned",
            phrases: ["I'll be there", "I will be home", "somebody will be there", "that suits me"],
          },
          {
            when: "no",
            next: "place",
            phrases: ["nobody will be there", "I won't be home", "nobody is home", "I'm at work"],
          },
        ],
        otherwise: "not_understood",
      },
      {
        id: "place",
        type: "ask",
        label: "Where to leave it?",
        text: "Where may the driver leave it: with a neighbor, at the door, or shall we come another day?",
        reworded: "Please choose: with a neighbor, at the door, or another day.",
        answer: "choice",
        saveAs: "place",
        exits: [
          {
            when: "neighbor",
            key: "1",
            next: "neighbor_name",
            phrases: ["with the neighbor", "next door", "the people next door"],
          },
          {
            when: "at the door",
            key: "2",
            next: "at_the_door",
            phrases: ["leave it", "on the porch", "front door", "outside", "doorstep"],
          },
          {
            when: "another day",
            key: "3",
            next: "delivery_date",
            phrases: ["different day", "come another day", "later", "not tomorrow"],
          },
        ],
        otherwise: "not_understood",
      },
      {
        id: "neighbor_name",
        type: "ask",
        label: "Which neighbor?",
        text: "Which neighbor may take it?",
        answer: "free_text",
        saveAs: "neighbor_name",
        exits: [],
        otherwise: "with_neighbor",
      },
      {
        id: "delivery_date",
        type: "ask",
        label: "Which day?",
        text: "Which day suits you?",
        answer: "date",
        saveAs: "delivery_date",
        exits: [],
        confirm: { text: "So we come on {{answer}}. Is that right?" },
        next: "on_another_day",
        otherwise: "not_understood",
        patience: "patient",
      },
      ...outcomeNodes("as_planned", "Good, the driver will ring at your door. Goodbye."),
      ...outcomeNodes("at_the_door", "All right, the driver will leave it at your door. Goodbye."),
      ...outcomeNodes("with_neighbor", "Thank you, the driver will try there. Goodbye."),
      ...outcomeNodes("on_another_day", "Thank you. I have noted {{delivery_date}} instead. Goodbye."),
      ...outcomeNodes("not_understood", "I am sorry, I could not understand you. We will come as planned. Goodbye."),
      ...wrongNumberNodes(),
      ...notNowNodes("I understand. We will come as planned. Goodbye."),
      ...menuNodes("notice"),
      ...humanNodes(),
      {
        id: "message",
        type: "voicemail",
        text: "Hello {{first_name}}. This is an automated call {{from_whom}}. Your parcel {{parcel}} will be delivered {{delivery_time}}. Goodbye.",
      },
    ],
  },
};
