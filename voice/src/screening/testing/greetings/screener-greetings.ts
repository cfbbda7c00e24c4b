import { numberGreetings } from "./greeting.ts";

/** Assistants that want to know who is calling before they let a person's phone ring. */
export const SCREENER_GREETINGS = numberGreetings(
  "screening",
  [
    [
      "Hello. The person you are calling uses a screening service. Who is calling? Please say your name and why you are calling.",
    ],
    ["Hi. If you record your name and the reason for your call, I will find out whether this person can talk."],
    [
      "Hi, I'm a call assistant recording this call for the person you're trying to reach.",
      400,
      "Before I connect you, can I ask what you're calling about?",
    ],
    ["The number you are calling is screened. Please state your name after the tone, and stay on the line."],
    [
      "Hello, this person is using a call screening service from Google and will see a transcript of this call. Go ahead and say your name and why you're calling.",
    ],
    ["Please say your name, then wait while I try to connect you to the person."],
    ["Hi there. I'm the assistant of the person you dialed. What is your name and the purpose of your call?"],
    ["This number does not take unknown callers. To prove that you are not a robot, please say your name."],
  ].map((parts) => ({ parts })),
);
