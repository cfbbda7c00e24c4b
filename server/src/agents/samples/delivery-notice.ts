import type { SampleAgent } from "./sample-agent.ts";

/** Announces a parcel and finds out what to do when nobody is there. */
export const DELIVERY_NOTICE: SampleAgent = {
  name: "Delivery notice",
  description:
    'Announces a parcel and asks where to leave it when nobody is in. Variables: first_name ("Ada"), from_whom ("from Swift Parcels"), parcel ("with your new lamp"), delivery_time ("tomorrow between nine and noon").',
  language: "en-US",
  flow: {
    schemaVersion: 1,
    variables: ["first_name", "from_whom", "parcel", "delivery_time"],
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
        answer: "yes_no",
        saveAs: "someone_home",
        exits: [
          { when: "yes", next: "as_planned" },
          { when: "no", next: "place" },
        ],
        otherwise: "not_understood",
      },
      {
        id: "place",
        type: "ask",
        label: "Where to leave it?",
        text: "Where may the driver leave it: with a neighbor, at the door, or shall we come another day?",
        answer: "choice",
        saveAs: "place",
        exits: [
          { when: "neighbor", next: "neighbor_name" },
          { when: "at the door", next: "at_the_door" },
          { when: "another day", next: "delivery_date" },
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
        otherwise: "on_another_day",
      },
      { id: "as_planned", type: "end", text: "Good, the driver will ring at your door. Goodbye." },
      { id: "at_the_door", type: "end", text: "All right, the driver will leave it at your door. Goodbye." },
      { id: "with_neighbor", type: "end", text: "Thank you, the driver will try there. Goodbye." },
      { id: "on_another_day", type: "end", text: "Thank you. I have noted {{delivery_date}} instead. Goodbye." },
      {
        id: "not_understood",
        type: "end",
        text: "I am sorry, I could not understand you. We will come as planned. Goodbye.",
      },
    ],
  },
};
