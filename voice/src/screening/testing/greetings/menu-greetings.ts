import { numberGreetings } from "./greeting.ts";

/** Menus, queues and machines that want a word or a key. */
export const MENU_GREETINGS = numberGreetings(
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
