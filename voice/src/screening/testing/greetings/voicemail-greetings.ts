import { type Beep, numberGreetings } from "./greeting.ts";

function beep(frequencyHz: number, durationMs: number, afterMs: number): Beep {
  return { frequencyHz, durationMs, afterMs };
}

/** Greetings that people and carriers record. Some come without a tone, and some tones come late. */
export const VOICEMAIL_GREETINGS = numberGreetings("voicemail", [
  {
    parts: ["Hi, you've reached Laura. I can't come to the phone right now, so please leave a message after the tone."],
    beep: beep(1000, 400, 500),
  },
  {
    parts: [
      "Hello, this is David Chen. I'm either on the other line or away from my desk.",
      500,
      "Leave your name and number and I'll get back to you as soon as I can.",
    ],
    beep: beep(1400, 300, 700),
  },
  { parts: ["Hey, it's Mike.", 700, "You know what to do."], beep: beep(850, 500, 400) },
  { parts: ["Hi, it's Jess. Leave me a message."], beep: beep(1000, 250, 300) },
  {
    parts: [
      "Your call has been forwarded to an automated voice messaging system.",
      400,
      "Five five five, two three one, four is not available.",
      500,
      "At the tone, please record your message. When you have finished recording, you may hang up, or press one for more options.",
    ],
    beep: beep(440, 900, 600),
  },
  {
    parts: ["The person you are trying to reach is not available.", 600, "Please leave a message after the beep."],
    beep: beep(2000, 300, 400),
  },
  {
    parts: [
      "You have reached the voice mailbox of",
      400,
      "Peter Olsen.",
      500,
      "To leave a message, wait for the tone.",
    ],
    beep: beep(1000, 500, 500),
  },
  {
    parts: ["The mailbox is full and cannot accept any messages at this time. Goodbye."],
  },
  {
    parts: [
      "You've reached the Hendersons. We're not home right now, but if you leave your name, number and a short message, we'll call you back as soon as possible. Thanks.",
    ],
    beep: beep(950, 600, 800),
  },
  {
    parts: [
      "Thank you for calling Elm Street Bakery. We are currently closed. Our opening hours are eight to six. Please leave a message and we will return your call on the next working day.",
    ],
    beep: beep(1000, 400, 900),
  },
  {
    parts: ["Hi! Sorry I missed your call. Send me a text, I never check this thing."],
    beep: beep(1200, 350, 500),
  },
  {
    parts: [
      "This is Doctor Patel's line. If this is an emergency, please hang up and dial the emergency number.",
      600,
      "Otherwise, leave your details after the tone.",
    ],
    beep: beep(800, 450, 600),
  },
  {
    parts: [
      "Hello.",
      800,
      "You've reached Sandra. I'm not available at the moment. Please leave a message and have a great day.",
    ],
    beep: beep(1000, 400, 500),
  },
  {
    parts: ["The customer you have called is unavailable. Please leave a message after the tone."],
    beep: beep(425, 500, 500),
  },
  {
    parts: [
      "Welcome to the message bank of",
      300,
      "oh four one two, three three one.",
      400,
      "Please leave your message now.",
    ],
    beep: beep(1400, 500, 500),
  },
  {
    parts: [
      "I'm out of the office until Monday the fourth. For urgent matters please contact my colleague. Otherwise leave a message and I'll get back to you when I return.",
    ],
    beep: beep(1000, 400, 600),
  },
  {
    parts: ["No one is available to take your call. Please leave a message after the tone."],
    beep: beep(600, 700, 500),
  },
  {
    parts: ["Hi, this is Ben, I'm probably out climbing something. Do your thing at the beep and I'll ring you back."],
    beep: beep(1100, 500, 500),
  },
  {
    parts: ["Hello? ", 900, "Just kidding, I'm not here. Leave a message after the beep."],
    beep: beep(1000, 300, 400),
  },
  {
    parts: [
      "You're through to the voicemail of Grace Adeyemi. I'm unable to take your call at present. Kindly leave a message.",
    ],
  },
  {
    parts: [
      "We're sorry, all of our staff have left for the day. Leave your name and a telephone number and someone will get back to you in the morning.",
    ],
    beep: beep(1000, 400, 700),
  },
  {
    parts: ["The Google subscriber you have called is not available. Please leave a message after the tone."],
    beep: beep(1000, 400, 500),
  },
  {
    parts: [
      "Hi, it's Ruth. I can't get to the phone. If it's about the flat, it's gone. If it's Mum, I'll see you Sunday. Everybody else, wait for the beep.",
    ],
    beep: beep(900, 250, 500),
  },
  {
    parts: ["This is the answering machine of Fischer and Company. Please speak after the signal."],
    beep: beep(1000, 1000, 500),
  },
  {
    parts: [
      "Hello, you have reached Alex Miller. I cannot take your call right now. Please leave a message after the tone.",
    ],
    beep: beep(1000, 400, 0),
  },
  {
    parts: ["Bonjour, vous etes bien chez Camille. Laissez un message."],
    beep: beep(1000, 400, 600),
  },
  {
    parts: ["Yo, it's Dre. I'm not around. Hit me up later."],
    beep: beep(1000, 400, 500),
  },
  {
    parts: ["The voicemail of the person you are calling has not been set up yet. Goodbye."],
  },
]);
