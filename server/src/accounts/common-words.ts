/**
 * Words that most guessed passwords of twelve or more characters are made of. The rule that uses them takes a
 * password apart, so "Password1234!" and "iloveyou-qwerty" need no entry of their own.
 */
export const COMMON_WORDS: readonly string[] = `
password passwort passw0rd passwd contrasena motdepasse senha wachtwoord parola haslo secret geheim hidden
welcome willkommen bienvenue hello hallo bonjour salut ciao letmein letme access login logon signin signup enter open
admin administrator administrateur root system sysadmin operator manager master guest default username account
test testing tester demo example sample temp temporary change changeme changeit please
qwerty qwertyuiop qwertz qwertzuiop azerty azertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm yxcvbnm qazwsx qazwsxedc
iloveyou loveyou lovely lover love forever always mylove sweetheart honey baby babygirl babyboy princess princesa prince
queen king angel angels heaven jesus christ god faith blessed family mother father mommy daddy sister brother friend friends
football soccer baseball basketball hockey tennis golf cricket rugby liverpool chelsea arsenal barcelona realmadrid juventus
monkey dragon tiger lion eagle wolf bear panther dolphin butterfly kitty kitten puppy horse chicken cookie banana cheese
chocolate coffee pepper ginger cherry orange apple peach summer winter spring autumn sunshine moonlight rainbow flower
flowers snow storm thunder lightning ocean river mountain island freedom liberty america london paris berlin madrid
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
october november december birthday christmas holiday weekend morning tonight today yesterday tomorrow
superman batman spiderman ironman starwars startrek pokemon pikachu minecraft fortnite naruto matrix hunter killer
shadow ninja samurai pirate wizard magic mustang ferrari porsche mercedes harley yamaha toyota honda corvette camaro
michael michelle jennifer jessica jordan daniel thomas robert william charlie george andrew anthony matthew joshua
ashley amanda nicole samantha sophie maria sarah hannah emily laura david james peter alexander christian
computer internet google facebook samsung android windows microsoft linux office server network wireless mobile telephone
phone number telecom voice agent parley calls caller company business customer service support security private
trustno whatever nothing anything something everything blahblah fuckyou money dollar
million lucky winner player gamer gaming school student teacher college university science
the and you are for not this that with from have what your mine
`
  .trim()
  .split(/\s+/);

/** Runs that fingers and children know. Each is also refused backwards. */
export const COMMON_RUNS: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "qazwsxedcrfvtgbyhnujmikolp",
  "!@#$%^&*()",
  '!"§$%&/()=',
];
