import { describe, expect, it } from "vitest";
import { compilePhrase, findPhrase, phraseText, withoutPhrase } from "./phrase-pattern.ts";

const find = (text: string, pattern: string) => findPhrase(phraseText(text), compilePhrase(pattern));

describe("a phrase", () => {
  it("is found whatever punctuation, capitals and contractions recognition writes", () => {
    expect(find("Sorry, I can't COME to the phone!", "i cannot come to the phone")).toBe("i cannot come to the phone");
    expect(find("You’ve reached us.", "you have reached")).toBe("you have reached");
    expect(find("Who's calling?", "who is calling")).toBe("who is calling");
    expect(find("Leave it on my voice mail.", "my voicemail")).toBe("my voicemail");
  });

  it("may have a choice of words, words that are left out, and a few others between", () => {
    expect(find("after the beep", "after the tone/beep")).toBe("after the beep");
    expect(find("press the star key", "press the? star")).toBe("press the star");
    expect(find("press star", "press the? star")).toBe("press star");
    expect(find("leave a very short message", "leave .. message")).toBe("leave a very short message");
    expect(find("leave us all one very short message", "leave .. message")).toBeNull();
    expect(find("to press one", "to + press one")).toBeNull();
    expect(find("to hear this again press one", "to + press one")).toBe("to hear this again press one");
  });

  it("is made of whole words", () => {
    expect(find("impress one person", "press one")).toBeNull();
    expect(find("press oneself", "press one")).toBeNull();
  });

  it("can be anchored to the beginning or the end, and to what must not precede it", () => {
    expect(find("who is calling", "^ who is calling $")).toBe("who is calling");
    expect(find("tell me who is calling", "^ who is calling")).toBeNull();
    expect(find("this is Ann speaking", "speaking $")).toBe("speaking");
    expect(find("speaking of Ann", "speaking $")).toBeNull();
    expect(find("please leave a message", "!to/can leave .. message")).toBe("leave a message");
    expect(find("do you want to leave a message", "!to/can leave .. message")).toBeNull();
  });

  it("does not span removed text", () => {
    const phrase = compilePhrase("would you like to");
    const rest = withoutPhrase(phraseText("please would you like to leave a message"), phrase);
    expect(findPhrase(rest, compilePhrase("please .. leave"))).toBeNull();
    expect(findPhrase(rest, compilePhrase("leave a message"))).toBe("leave a message");
    expect(findPhrase(rest, compilePhrase("^ leave a message"))).toBe("leave a message");
  });
});
