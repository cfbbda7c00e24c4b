import type { AnsweredBy } from "../../ports/conversation-journal.ts";

/** One answer to a call: what is said, in order, with pauses in milliseconds between. */
export interface Greeting {
  readonly id: string;
  /** A network announcement is reported as `unknown` and `unreachable`. */
  readonly answeredBy: AnsweredBy | "announcement";
  readonly parts: readonly (string | number)[];
  readonly beep: Beep | null;
}

export interface Beep {
  readonly afterMs: number;
  readonly frequencyHz: number;
  readonly durationMs: number;
}

/** Numbers the greetings of a list, so that a report can name them. */
function numberGreetings(
  answeredBy: Greeting["answeredBy"],
  list: readonly { readonly parts: Greeting["parts"]; readonly beep?: Beep }[],
): readonly Greeting[] {
  return list.map(({ parts, beep }, index) => ({
    id: `${answeredBy} ${index + 1}`,
    answeredBy,
    parts,
    beep: beep ?? null,
  }));
}

/** While the agent introduces itself. */
const LISTENS = 4_000;

/** People who pick up, at home, at work, on the road and in a bad mood, and what they say next. */
const HUMAN_ANSWERS = numberGreetings(
  "human",
  [
    ["Hello?", LISTENS, "Yes, that's me."],
    ["Hi.", LISTENS, "Sure, go ahead."],
    ["Yes?", LISTENS, "No, Thursday is fine."],
    ["Yeah, hello?", LISTENS, "Who did you say you were?"],
    ["Good morning.", LISTENS, "Yes, speaking."],
    ["Hello, hello?", LISTENS, "Oh, hi. What's this about?"],
    ["Hello?", 900, "Hello? Is anybody there?", LISTENS, "Oh, there you are."],
    ["This is Martin.", LISTENS, "Right, the appointment."],
    ["Hello, this is Susan speaking.", LISTENS, "Tomorrow at ten, yes."],
    ["Miller residence.", LISTENS, "No, she's my mother. Hang on."],
    ["Good afternoon, Parkside Dental, Karen speaking, how can I help you?", LISTENS, "One moment, please."],
    ["Thank you for calling Benson and Sons, this is Paul, what can I do for you?", LISTENS, "I see. Let me check."],
    ["Good morning, Riverside Medical Centre, you're through to reception.", LISTENS, "Which doctor was that?"],
    ["Hello, who is this?", LISTENS, "And what do you want?"],
    ["Who's calling, please?", LISTENS, "What company is that?"],
    ["Hello, can I ask who's calling?", LISTENS, "I'll see if she's free."],
    ["He's not available at the moment, can I take a message?", LISTENS, "Okay, I'll tell him."],
    ["She can't come to the phone right now. Would you like to leave a message?", LISTENS, "All right. Bye."],
    ["Anna's phone, this is her husband, she's in the shower.", LISTENS, "I can ask her to ring you."],
    ["I'm driving right now, can you call me back later?", LISTENS, "Thanks. Bye."],
    ["Sorry, I'm in a meeting. Can I call you back?", LISTENS, "In about an hour."],
    ["Hello? Sorry, the line is terrible, can you say that again?", LISTENS, "Still bad."],
    ["Stop calling me. I'm not interested.", LISTENS, "No."],
    ["You have the wrong number.", LISTENS, "There's nobody here by that name."],
    ["Um, hello? Just a second, let me turn the radio down.", 1_500, "Okay, go on.", LISTENS, "Yes."],
    ["Yep, talk to me.", LISTENS, "Fine."],
    ["Hello darling, I was just about to ring you, did you get the milk?", LISTENS, "Oh, sorry, who is this?"],
    ["Jones Plumbing.", LISTENS, "We could come on Friday."],
    ["Accounts department, Priya speaking.", LISTENS, "What's the invoice number?"],
    ["Hi, you've reached Tom.", LISTENS, "Yes, this is really me."],
    [
      "Front desk, one moment please.",
      3_000,
      "Thanks for waiting, how may I direct your call?",
      LISTENS,
      "Connecting.",
    ],
    ["Hello? Grandma is asleep. Who are you?", LISTENS, "I'm six."],
    ["Is this a recording?", LISTENS, "It sounds like a robot to me."],
    ["I already told you people to take me off your list.", LISTENS, "Goodbye."],
    ["Hey, can you text me instead? I can't talk right now.", LISTENS, "Bye."],
    ["Northgate Library, good evening, we close in ten minutes.", LISTENS, "What's your card number?"],
    ["Speaking.", LISTENS, "Of what?"],
    ["Hello. Yes. Okay. Listen, I'm on the other line, make it quick.", LISTENS, "Fine, Monday."],
    [
      "Mister Okafor's office, he's away from his desk, may I tell him who's calling?",
      LISTENS,
      "How do you spell that?",
    ],
    ["Oh hi, I got your message, thanks for calling back, I've been meaning to get back to you.", LISTENS, "Yes."],
    ["Hello, I saw you left me a voicemail yesterday, what was it about?", LISTENS, "Ah, that."],
    ["Sorry I missed your call earlier, I was in the garden.", LISTENS, "Yes, go on."],
    ["I can't take your call right now, I'm with a client. Ring me at five.", LISTENS, "At five."],
    ["We're just about closed, can you come back tomorrow after nine?", LISTENS, "Yes, nine."],
    ["Is this about my screening on Friday?", LISTENS, "At the hospital, yes."],
    ["You can leave your name and number with me, he's out on a job.", LISTENS, "Got it."],
    ["If it's the parcel, can you leave it at the front desk?", LISTENS, "Thanks."],
    ["My phone was switched off, sorry, hello?", LISTENS, "Yes, that's right."],
    ["Hello? Wait, I hear a beep, is this being recorded?", LISTENS, "Okay."],
    ["Good evening, Luigi's. Do you want the lunch menu or the main menu?", LISTENS, "A table for two?"],
    ["Switchboard, do you know the extension number?", LISTENS, "Two oh four. Connecting you."],
    ["What's your name and why are you calling?", LISTENS, "Never heard of you."],
    ["Would you rather leave your name and number so that I could get back to you later?", LISTENS, "Very well."],
    ["Thank you for calling Acme, this call may be recorded, my name is Jane.", LISTENS, "How can I help?"],
    ["Grandpa, you have to press one of the buttons. Hello?", LISTENS, "Who?"],
    ["I thought the answering machine would get it. Hello?", LISTENS, "Yes."],
    ["Can I have your name and the reason for your call, please?", LISTENS, "Hold on."],
    ["Listen carefully, I have told you I don't want this.", LISTENS, "No."],
    ["I have hardly any signal at home, the signal is dreadful, say that again?", LISTENS, "Yes, Tuesday."],
    ["What?", 1_200, "Who is it?", LISTENS, "Speak up, I can't hear you."],
  ].map((parts) => ({ parts })),
);

function beep(frequencyHz: number, durationMs: number, afterMs: number): Beep {
  return { frequencyHz, durationMs, afterMs };
}

/** Greetings that people and carriers record. Some come without a tone, and some tones come late. */
const VOICEMAIL_GREETINGS = numberGreetings("voicemail", [
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

/** Menus, queues and machines that want a word or a key. */
const MENU_GREETINGS = numberGreetings(
  "ivr",
  [
    [
      "Thank you for calling Northwind. For our opening hours, press 1. For our address, press 2. To speak with somebody, press 0.",
    ],
    [
      "Welcome to First Harbor Bank.",
      500,
      "Please listen carefully, as our menu options have changed.",
      500,
      "For account balances, press one.",
    ],
    [
      "Thank you for calling. If you know your party's extension, you may dial it at any time.",
      600,
      "For sales, press two.",
    ],
    [
      "Your call is important to us. All of our representatives are currently busy. Please stay on the line and your call will be answered in the order it was received.",
    ],
    [
      "Hello, and welcome to City Gas. In a few words, please tell me why you are calling. You can say things like, pay my bill.",
    ],
    [
      "This call may be recorded for quality and training purposes.",
      700,
      "Please enter your account number followed by the pound key.",
    ],
    ["For English, press one.", 400, "Para espanol, oprima el dos."],
    [
      "You have reached the county clerk. Main menu. For marriage licenses, press three. For property records, press four. To repeat these options, press star.",
    ],
    [
      "Thanks for calling Oak Valley Pharmacy. To refill a prescription, press one. To leave a message for the pharmacist, press two. To speak to a pharmacist, press three.",
    ],
    ["Sorry, I didn't get that. Please say or press a number from one to five."],
    ["Thank you for holding. You are caller number four. The estimated wait time is six minutes."],
    [
      "Welcome to the hospital information line. If this is a medical emergency, hang up now. To be connected to a ward, press one. For visiting times, press two.",
    ],
  ].map((parts) => ({ parts })),
);

/** Assistants that ask who is calling before they let a person's phone ring. */
const SCREENER_GREETINGS = numberGreetings(
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

/** Announcements of a network that cannot connect the call. */
const ANNOUNCEMENTS = numberGreetings(
  "announcement",
  [
    ["We're sorry. The number you have dialed is not in service. Please check the number and dial again."],
    ["We're sorry, your call cannot be completed as dialed.", 500, "Please hang up and try again."],
    ["The wireless customer you are calling is not available. Please try again later."],
    ["The mobile phone you have called is switched off or out of coverage."],
    ["All circuits are busy now. Will you please try your call again later."],
  ].map((parts) => ({ parts })),
);

/** Greetings of people and machines, as texts that any synthesizer can speak. */
export const GREETINGS: readonly Greeting[] = [
  ...HUMAN_ANSWERS,
  ...VOICEMAIL_GREETINGS,
  ...MENU_GREETINGS,
  ...SCREENER_GREETINGS,
  ...ANNOUNCEMENTS,
];
