import type { AskNode } from "@parley/contract/flow-ask";
import type { CalleeRequest } from "../../ports/answer-judge.ts";
import { plainWords, withoutFillers } from "./plain-words.ts";

const PERSON =
  "(?:human(?: being)?|person|people|somebody|someone|anybody|anyone|agent|representative|rep|operator|manager|supervisor|boss|employee|colleague|receptionist|reception|clerk|staff|man|woman|lady|guy|driver|doctor|nurse|dentist|vet|mechanic|office|front desk|desk|billing|customer service|call center|secretary)";
const SOME_PERSON = `(?:(?:a|an|the|some|your|another|one of your|an? actual|any) )?(?:(?:real|live|actual|human|proper|living|breathing|flesh and blood) )*${PERSON}`;
const FAMILY = "(?:mom|mommy|mum|mummy|mama|dad|daddy|papa|mother|father|gran|granny|grandma|grandpa|nana|parents)";

/** A death, and nothing that was passed: "he passed on his ninth go", "she has passed the test". */
const PASSED =
  "passed(?! (?:the|his|her|my|an?(?! (?:couple|few|while|week|month|year|long|short)\\b)|it|them|their|all|me|us|that|this|every|both|with|at (?:birth|school|first)|in \\w+ing|on (?:the|it|that|your|my|his|her|their|to)|(?:\\w+ )?(?:exams?|tests?|inspection|probation|algebra|maths?|physics|biology|english|spanish|french))\\b)";
/** Things that are said to be dead. */
const THINGS =
  "it|this|that|everything|battery|phone|line|engine|car|screen|signal|internet|router|machine|thing|one|hers|mine|yours|ours|theirs|doorbell|radio|tv|television|laptop|computer|tablet|remote|boiler|heating|heater|light|lights|display|socket|bulb|motor|plant|tree|lawn|grass";
/** "She is dead set on it." */
const DEAD_SET = "(?! (?:set|on|right|keen|tired|easy|certain|against|sure|good|serious|slow|quiet)\\b)";

/** Asks to be called, and says when: a day or a time in it answers nothing else. */
const CALL_AT = new RegExp(
  [
    "^(?!.*\\b(?:not|never|no one|unless|needs?|was|were|meant|depends|(?:ask|tell|get|have) (?:him|her|them)|have liked|will|would have|going to)\\b.*\\b(?:call|ring|phone|try|reach|contact|get|come))",
    ".*\\b(?:(?:call|ring|phone|try|buzz|text|reach|contact|catch) (?:(?:me|us) (?:back |again )?|back |again )|get (?:back to|hold of) (?:me|us) (?:again )?|come back to (?:me|us) )",
    "(?:later|tomorrow|tonight|at|on|around|about|after|in|next|this|before|when|once|from|towards|some (?:other )?time|another (?:day|time)|first thing|early|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\\b",
  ].join(""),
);

/** A death that only dates something else: "since my wife died", "the night he passed". */
const DATES_BY_DEATH =
  /\b(?:since|before|after|when|until|till|because|(?:the|that) (?:day|night|week|year|morning)) (?:that )?(?:\w+ ){1,4}(?:died|passed)\b/;

/** Whether a clause of the text asks to be called at some time. */
export function asksForCallAt(text: string): boolean {
  return clausesOf(text).some((clause) => CALL_AT.test(clause));
}

/** Someone who was asked for is not there. "She's out of her depth" and "he's out tomorrow" say something else. */
const IS_OUT =
  /\b(?:he|she|ada|they) (?:is|are) (?:not (?:here|home|in|at home|available|around)|out|away|asleep|sleeping|at work|in the (?:shower|bath|garden|hospital))\b(?! (?:of|tomorrow|with|and about|to|for|on|from|that|favor|love)\b)/;
/** The one who is out was named by the callee: "my daughter fetches them, but she's away". */
const NAMES_ANOTHER =
  /\b(?:my|our|the) (?:\w+ )?(?:wife|husband|partner|son|daughter|sister|brother|mother|father|mom|mum|dad|parents|kids?|child|neighbou?rs?|boss|friend|colleague|nephew|niece|aunt|uncle|cousin|grandson|granddaughter|cleaner|carer|tenant|roommate|flatmate|housemate|dog|cat|nurse|doctor)\b.*\b(?:he|she|they) (?:is|are) (?:not|out|away|asleep|sleeping|at work|in the)\b/;

/**
 * In the order in which they are looked for. Each is a pattern for a clause, in lower case and long forms ("do not"),
 * without fillers. `^` patterns must begin the clause; the others may stand anywhere in it, because those words do not
 * occur in an answer.
 */
const RULES: readonly (readonly [request: CalleeRequest, patterns: readonly RegExp[]])[] = [
  [
    "stop_calling",
    [
      /\b(?:calls?|calling|ring|ringing|phone|phoning)\b.*\bstop (?:it|them|this)\b/,
      /\b(?:stop|quit) (?:\w+ )?(?:calling|phoning|ringing|contacting|bothering|harassing|pestering|spamming|robocalling)\b(?: (?:me|us|here|this|my|our|about)\b|$)/,
      /\b(?:do not|never|not to) (?:you )?(?:ever |dare )?(?:call|phone|ring|contact|bother)\b(?: (?:me|us|here|this number|my number|this house))?(?: ever)?(?: (?:again|any more|any longer|ever|no more))\b/,
      /\bnever (?:ever )?(?:call|phone|ring|contact) (?:me|us|here|this number)\b/,
      /(?<!\b(?:not|never) )\b(?:take|remove|delete|get(?! (?:me|us) (?:from|out of|off the (?:floor|ground|hook|phone|bus|train|plane|boat|sofa|couch|ladder|roof|fence)\b))|strike|scrub|wipe) (?:me|us|my number|this number|my name|our number|my details) (?:off|from|out of)\b(?! (?:the (?:list for|book|schedule|calendar|diary|appointment|booking)|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day))/,
      /\bdo not call (?:list|register|registry)\b/,
      /\bunsubscribe\b/,
      /\bno more (?:of these |of your |bloody |damn )?(?:phone )?calls\b/,
      /\bi do not want (?:any|your|these|more|you to) (?:more )?(?:phone )?(?:calls|call me|calling)\b/,
    ],
  ],
  [
    "deceased",
    [
      /\b(?:passed away|passed on(?! (?:the|his|her|their|my|it|that|to|a|our)\b)|deceased|no longer with us|has died|he died|she died|they died|died (?:last|in|a|two|three|yesterday|this)|since died|executor)\b/,
      new RegExp(`(?<!\\b(?:${THINGS})) is dead${DEAD_SET}`),
      new RegExp(`\\bhas ${PASSED}`),
      new RegExp(
        `\\b(?:husband|wife|mother|father|mom|mum|dad|brother|sister|son|daughter|friend|she|he|ada|patient|owner|tenant|man|lady|gentleman|customer) (?:is |has )?(?:died(?! of\\b)|dead(?! of\\b)${DEAD_SET}|${PASSED})`,
      ),
    ],
  ],
  [
    "other_language",
    [
      /(?:^| )(?:türkçe|turkce|biliyor|musunuz|bilmiyorum|anlamıyorum|konuşuyor|magyarul|nem értem|rozumiem|mówi|mluvíte|hovoríte|govorite|govori|svenska|talar|norsk|snakker|dansk|taler|suomea|puhu|ελληνικά|nahin|nahi|aap|marunong|cakap|bahasa|nihongo|hanguk)(?: |$)/,
      /\b(?:hablo|habla|espanol|español|entiendo|parle|parlez|anglais|français|francais|comprends|verstehe|deutsch|englisch|sprechen|spreche|nie rozumiem|po polsku|non capisco|parla|italiano|nao falo|não falo|falo|inglés|ingles|inglês|nederlands|polski|русский)\b/,
      /\bno (?:speak )?english\b/,
      /\b(?:do not|not) (?:speak|understand) (?:\w+ )?english\b/,
      /\bonly (?:speak )?(?:spanish|portuguese|french|german|polish|italian|russian|chinese|mandarin|cantonese|arabic|hindi|urdu|punjabi|vietnamese|tagalog|korean|japanese|turkish|dutch)\b/,
      /\b(?:do you|can you|anyone|somebody who|someone who) (?:speaks?|have) (?:spanish|portuguese|french|german|polish|italian|russian|chinese|arabic|hindi|urdu|vietnamese|korean|japanese|turkish)\b/,
      /\bmy english (?:is )?(?:not|very bad|bad|poor)\b/,
    ],
  ],
  [
    "child",
    [
      new RegExp(
        `\\b${FAMILY}(?: and ${FAMILY})? (?:is|are|'s|said|says|went|told me|can not|is not|are not)\\b.*\\bi am (?:only )?(?:a kid|a child|\\w+ and a half|four|five|six|seven|eight|nine|ten|eleven|4|5|6|7|8|9|10|11)\\b`,
      ),
      /\bi am (?:only |just )?(?:a kid|a child|a little (?:girl|boy))\b/,
      /\bi am (?:only |just )?(?:three|four|five|six|seven|eight|nine|ten|eleven|3|4|5|6|7|8|9|10|11)(?: (?:years old|and a half|years))?$/,
      // "Mommy is in the shower", but not "Mama is on the low sugar".
      /^(?:my )?(?:mommy|mummy|daddy|mama|granny|nana)(?:$| can not\b|(?:'s| is| said| says| told| went)\b.*\b(?:not|here|home|phone|toilet|potty|bed|out|at|in|asleep|sleeping|busy|gone|working|outside|upstairs|downstairs|cooking|driving|said|says|told|went)\b)/,
      new RegExp(
        `\\bi am (?:only |just )?(?:three|four|five|six|seven|eight|nine|ten|eleven)\\b(?! (?:minutes|hours|miles|blocks|weeks|months|days|percent|people|stone|pounds)\\b).*\\bmy ${FAMILY}\\b`,
      ),
      new RegExp(
        `\\bi am (?:only |just )?(?:three|four|five|six|seven|eight|nine|ten|eleven|[3-9]|1[01])(?: years old| years| and a half)?(?: and| so| but)? ${FAMILY}\\b`,
      ),
      new RegExp(
        `^(?!.*\\b(?:let me|i (?:have|need|want|will|must|should|would|am|could)|got to|going to|wait till i|if you|you (?:would )?have to|you will have to)\\b.*\\b(?:ask|talk|speak)).*\\b(?:get|want|ask|talk to|speak to) my ${FAMILY}\\b`,
      ),
    ],
  ],
  [
    "wrong_number",
    [
      /\bi have had (?:this|the|my) (?:\w+ )?(?:number|phone) (?:for )?\w+ (?:years|months)\b/,
      /\bwrong (?:number|person's number|house|phone)\b/,
      /\bmisdialed\b/,
      /\bdialed (?:the )?wrong\b/,
      /\b(?:no one|nobody|there is no one|no body) (?:\w+ )?(?:of|by|with|called|named) (?:that|this|the) name\b/,
      /\b(?:no such person|never heard of (?:him|her|them|that|any|you))\b/,
      /\bi do not know (?:any|that person|who that is|anyone|anybody|any such)\b/,
      /\bthis is (?:a|an|the) (?:\w+ )?(?:pizza|shop|restaurant|bakery|hair salon|garage|fax|school|hospital)\b/,
    ],
  ],
  [
    "not_person",
    [
      /\b(?:i am|this is|it is|that is) not (?:him|her|ada|the (?:owner|person|account holder|one|tenant|customer|patient|right person)|who you|them|that lady|that man|mrs|mr|ms|the one who)\b/,
      /\b(?:this is|i am|you have got|you have|you got|it is) (?:only |just )?(?:her|his|their|the) (?:wife|husband|son|daughter|sister|brother|mother|father|mom|mum|dad|roommate|flatmate|housemate|carer|caregiver|nurse|assistant|secretary|neighbor|friend|partner|boyfriend|girlfriend|house ?sitter|dog ?sitter|cleaner|babysitter|nephew|niece|aunt|uncle|cousin|grandson|granddaughter|boss|colleague)\b(?!'s)/,
      IS_OUT,
      /\b(?:this is|it is) (?:my|her|his) (?:\w+ )?(?:phone|cell|mobile)\b.*\bnot\b/,
      /\byou (?:want|need|are looking for) (?:my|mr|mrs|ms|the)\b.*\b(?:not|his|her)\b/,
    ],
  ],
  [
    "human",
    [
      /\bi (?:want|need|would like|would rather|would prefer|prefer|would sooner|demand|will only) (?:to )?(?:speak|talk|explain (?:it|this|that)|discuss (?:it|this|that)|tell (?:it|that)|deal) ?(?:directly )?(?:to|with) (?:the|your|a|an|some)\b/,
      /\b(?:get|put) (?:him|her|them) on(?: the (?:line|phone))?$/,
      /\bi will tell (?:that|it|this) to (?:your|the|a)\b/,
      new RegExp(`\\bput ${SOME_PERSON} on\\b`),
      new RegExp(`\\bget ${SOME_PERSON} on the (?:line|phone)\\b`),
      /\bis there (?:a|an|any|no|some|somebody|someone|anybody|anyone)\b.*\b(?:i can|to) (?:talk|speak|tell)\b/,
      /\b(?:explain|arrange|do|discuss|sort) (?:\w+ )?(?:to|with|out with) (?:a|an|the) (?:real |actual |living |live )?(?:human|person|people|agent|human being)\b/,
      /\b(?:give|get) me (?:a|an) (?:real|actual|live|human)\b/,
      new RegExp(
        `\\b(?:speak|talk|connected|transferred|chat|sort \\w+ out|check (?:it|that|this)|deal|discuss (?:it|that|this)?) ?(?:directly )?(?:to|with) ${SOME_PERSON}\\b`,
      ),
      new RegExp(
        `\\b(?:connect|transfer|put|pass|hand|patch) (?:me|us|this|the call) ?(?:through|over|on|back)? ?(?:to|with) (?:\\w+ ){0,2}?${SOME_PERSON}\\b`,
      ),
      new RegExp(`^(?:please )?(?:just )?(?:give|get|find) me ${SOME_PERSON}\\b`),
      /^(?:(?:no|okay|yes|hello|sorry|please|i|want|need|a|an|the|real|live|actual|human|proper) )*(?:human(?: being)?|real person|live person|actual person|representative|operator|receptionist|agent|person not a (?:machine|robot|computer))(?: please| now)?$/,
      new RegExp(
        `\\bi (?:want|need|would like|would prefer|would rather have|demand|prefer) ${SOME_PERSON} (?:not|to|instead|rather|on|please|real)\\b`,
      ),
      /\bi want (?:a|an) (?:human|person|real person|operator|agent)\b/,
      /\b(?:is there|have you got|do you have) (?:a|an|any|some) ?(?:human|person|real person|actual person|somebody|someone|one)? ?(?:i can|to|who can)? ?(?:speak|talk) to\b/,
      /\b(?:can|could|may) i (?:please |just )?(?:speak|talk) (?:to|with)\b/,
      /\blet me (?:speak|talk) (?:to|with)\b(?! (?:my|him|her|them)\b)/,
      /\b(?:not|never) (?:talking|speaking|to) (?:to |with )?(?:a )?(?:machine|robot|computer|bot|recording)\b/,
      /\bput me through\b/,
      /\bput me on to\b/,
    ],
  ],
  [
    "scam",
    [
      /\b(?:scam|scams|scammer|scammers|scamming|fraud|fraudster|fraudulent|con artist|phishing|a con|swindles?|swindlers?|conmen|con men|con man|cheats|rip ?off|hoax|crooks?|legit|legitimate|for real)\b(?! (?:charge|department))/,
      /\b(?:sounds|smells|seems|looks) (?:\w+ )?(?:dodgy|fishy|suspicious|suspect|shady|sketchy)\b/,
      /\b(?:want|getting|get|after) my (?:bank|card|credit|social|account)\b.*\b(?:details|number|card|security|now)\b/,
      /\bhow do i know (?:you|this|that|it)\b/,
      /\bprove (?:it|who|that|you)\b/,
    ],
  ],
  [
    "number_source",
    [
      /\bwho gave (?:you|them|anyone) permission\b/,
      /\bwhere did (?:you|they) (?:all )?(?:get|find) (?:it|that|this|them|him|her|me)\b/,
      /\b(?:how|where) (?:come |did |do |does |would |have |had )*(?:you|they|\w+ \w+)?(?: people| guys| lot)?(?: all)? ?(?:get|got|have|has|find|come by|gotten)\b.*\b(?:number|cell|mobile|phone|this one|contact|details|name)\b/,
      /\bwho (?:gave|passed|sold|told) you (?:my|this|the|that|to)\b/,
      /\bi (?:never|did not) (?:give|gave) (?:you|anyone|them) (?:my|this|the) (?:\w+ )?(?:number|phone|cell|mobile)\b/,
      /\bhow (?:come|is it) (?:that )?you have (?:my|this)\b/,
      /\bwhere(?: is| did)? (?:it|that|this|my number) (?:from|come from)\b.*/,
    ],
  ],
  [
    "is_machine",
    [
      /\b(?:person|human|someone|somebody|man|woman)\b.*\bor (?:a |an |just a |is it a )?(?:computer|machine|robot|bot|recording|program)\b/,
      /\b(?:robot|computer|machine|bot|recording)\b.*\bis that what (?:you are|this is|it is)\b/,
      /\bone of (?:those|these|them) (?:\w+ )?(?:computers|robots|machines|bots|programs)\b/,
      /\byou are not (?:real|a real|human|a person)\b/,
      /\b(?:woman|man|person|human|lady|real) or (?:a |an )?(?:program|computer|machine|robot|bot|recording)\b/,
      /\b(?:robot|computer|machine) is (?:asking|calling|talking)\b/,
      /\bthat is not a person\b/,
      /\b(?:are you|is (?:this|it|that)|am i (?:talking|speaking)|i am (?:talking|speaking)|you (?:are|sound like|do not sound)|is that|it is) (?:\w+ ){0,5}?(?:robot|bot|machine|computer|recording|human|ai|a i|automated|automatic|artificial|chat ?gpt|siri|alexa|real (?:person|lady|man|woman|human|guy)|an? actual person|a person|recorded)\b(?! (?:can|could|would))/,
      /^(?:\w+ ){0,3}(?:you )?(?:a |an )?(?:robot|bot|computer|machine|recording|ai)(?: or (?:what|something|a person|a human|real))$/,
      /\bautomated as in\b/,
      /\bone of (?:those|them|these) (?:ai|automatic|automated|robot|computer|recorded|robo)\b/,
    ],
  ],
  [
    "why",
    [
      /^(?:\w+ ){0,3}?what (?:on earth |the hell |exactly )?(?:do|does|did|would|are|is|will|has|have) (?:\w+ ){1,6}for$/,
      /\bwhat (?:is|has|does) (?:that|this|it) (?:got |have )?to do with\b/,
      /^what is (?:the|my|this|that) \w+ (?:going (?:to|towards|toward)|used for|needed for)\b/,
      /^(?:\w+ ){0,3}?what is (?:this|it|the call|that|all this) (?:\w+ )?(?:about|for|regarding|in connection with)\b/,
      /^(?:\w+ ){0,5}?why (?:are you|do you|you|did you|would you|am i|have you|should i tell|do i have to) (?:\w+ ){0,2}?(?:calling|call|asking|ask|ringing|ring|phoning|need|want|getting|wanting|needing|bothering|contacting)\b/,
      /^(?:\w+ ){0,3}?what do you (?:want|need) (?:that|it|this|to know that|my \w+)? ?(?:for|from me|with)?$/,
      /^(?:\w+ ){0,3}?what (?:are you going to|will you|do you) do with (?:that|it|this|my|the)\b/,
      /^(?:\w+ ){0,3}?what (?:is|are) you (?:calling|ringing|phoning) (?:about|for|me for)\b/,
      /^why is that (?:important|any of your business|relevant)\b/,
      /^what for$/,
      /\bwhy (?:are you )?(?:ringing|calling|phoning)(?: me| us)?$/,
      /^what (?:parcel|payment|appointment|visit|package|bill|invoice|delivery)$/,
    ],
  ],
  [
    "who_calls",
    [
      /\bis (?:that|this|it) (?:the|a|my|your) (?:\w+ ){0,2}(?:company|bank|clinic|practice|office|shop|surgery|garage|hospital|school|agency|council|insurance)$/,
      /\b(?:which|what) (?!(?:day|time|date|number|one|question|month|week|year|name|is)\b)\w+(?: \w+)? (?:is|was|are) (?:this|that|it)(?: again| exactly| please)?$/,
      /\bfrom where (?:are|is) (?:you|this)\b/,
      /^(?:\w+ ){0,3}?who (?:is|are|am|might|was) (?:this|that|it|you|calling|speaking|there|i (?:speaking|talking|supposed)|these|on the)\b(?! (?:going|coming|paid|told|said))/,
      /^(?:\w+ ){0,2}?who(?: is)? (?:calling|speaking|wants to know)\b/,
      /^(?:\w+ ){0,3}?(?:what|which) (?:company|business|firm|organization|outfit|office|clinic|place) (?:is|are|was|do|did)\b/,
      /^(?:\w+ ){0,3}?where are you (?:calling|phoning|ringing) from\b/,
      /^(?:\w+ ){0,3}?(?:who|what) (?:did you say you (?:were|are)|do you work for|are you with)\b/,
      /^(?!how|which|what|you)(?:\w+ ){1,2}who(?: sorry| now| again)?$/,
      /^what is this$/,
      /\bwho are you$/,
      /^what is your name\b/,
    ],
  ],
  [
    "driving",
    [
      /\b(?:in the fast lane|into traffic|pulling (?:out|into|onto)|at a red light|on the road right now)\b/,
      /\bi am (?:(?:just|actually|currently|still|already|right now|now|kind of|sort of|out|busy|sitting|stuck|literally|in the middle of|about to be|the one) ){0,3}?(?:driving(?! (?:her|him|them|us|it|(?:the|my) (?:kids?|children|son|daughter|wife|husband|mother|father|mum|mom|dad)|myself|ourselves|lorries|trucks|buses|taxis|\w+ (?:minutes|hours|miles|kilometers))\b)|behind the wheel|at the wheel|on the (?:freeway|highway|motorway|interstate|road|turnpike|bike|m\d+)|in traffic|merging|on my bike|riding|in the car(?! (?:line|park|lot|queue))|cycling|turning onto|overtaking|on a motorbike)\b(?!.*\b(?:at (?:\w+ )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|noon)|tomorrow|tonight|every|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|an hour a day)\b)/,
      /^(?!.*\b(?:not|the|my|your|his|her|about|of|for|no)\b)(?:\w+ ){0,3}?driving(?: right now| now| at the moment)?$/,
      /\bin traffic\b.*\b(?:can not|not now|later)\b/,
      /\bbehind the wheel\b/,
    ],
  ],
  [
    "call_later",
    [
      CALL_AT,
      /\bask me (?:again )?(?:another (?:time|day)|later|tomorrow|tonight|some other)\b/,
      /\bdo this (?:in|later|another|tomorrow|tonight)\b/,
      /^(?!.*\b(?:not|never|no one|unless|needs?|was|were|meant|depends|(?:ask|tell|get|have) (?:him|her|them)|have liked)\b.*\b(?:call|ring|phone)).*\b(?:call|ring|phone|try|buzz|dial|catch|contact) (?:me|us) (?:back|again|later|tonight|tomorrow|this (?:afternoon|evening|morning)|after|at|in|on|when|another time|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|some other)\b/,
      /^(?!.*\b(?:not|never|have liked|a call back|(?:ask|tell|get|have) (?:him|her|them))\b).*\b(?:call|ring|phone) (?:back|again|later)\b/,
      /\b(?:not|is not|this is not) (?:\w+ )?(?:good|great|convenient|right|best) (?:time|moment)\b/,
      /\b(?:bad|terrible|awkward) (?:time|moment)\b/,
      /\bcan(?: we| you| i)? (?:do|talk|discuss) (?:this|about this|it)? ?(?:later|another time|tomorrow|tonight)\b/,
      /\bi am (?:\w+ )?(?:in a meeting|at work(?! (?:till|until|all|mornings|nights|days|evenings|nine|every|most|from|on|but|then|that|those|when|and|so)\b)|busy(?! (?:from|till|until|on|that|all)\b)|in the middle of|at a (?:funeral|wedding|christening|party)|at the doctor's|in class|in a lesson|(?<!not )about to)\b/,
      /\bi (?:can not|do not have time to|have no time to) (?:talk|speak|chat)(?: right now| now| at the moment)?$/,
    ],
  ],
  [
    "how_long",
    [
      /^(?:\w+ ){0,4}?how long(?:'s)? .*\b(?:take|last|be|going on)\b/,
      /^(?:\w+ ){0,4}?how (?:much longer|long (?:will|is|does|would|do|are|can|until|'s|till)|many (?:more|questions|of these|minutes))\b/,
      /^(?:\w+ ){0,3}?how long$/,
      /^(?:will|is|does) (?:this|it|that) (?:take|be) (?:long|quick|much longer)\b/,
      /^is (?:this|that) the last (?:one|question)\b/,
    ],
  ],
  [
    "how_much",
    [
      /^(?:\w+ ){0,3}?what is (?:that|it|this|the \w+) (?:all together|altogether|in total|all in|come to|total)\b/,
      /\bcost (?:me |us )?(?:anything|something|extra)\b/,
      /\b(?:do|will|would|must) i (?:have to )?pay\b/,
      /^what (?:do|will|would|must) i (?:have to )?pay\b/,
      /^(?:\w+ ){0,4}?how much (?:is|was|does|do|will|would|are|did|money|of it|'s|for)\b/,
      /^(?:\w+ ){0,3}?how much$/,
      /^(?:\w+ ){0,4}?what (?:is|was|does|will|would|are|do) (?:\w+ ){0,5}?(?:cost|costs|price|fee|charge|total|amount|come to|owe|postage|balance|rate|set me back)\b/,
      /\b(?:is|will|would) (?:there|it) (?:be )?(?:a|any|an extra|extra) (?:\w+ )?(?:fee|charge|cost|costs|penalty)\b/,
      /^(?:do|will|would) i (?:have|need) to pay (?:anything|extra|for|something)\b/,
    ],
  ],
  [
    "speak_up",
    [
      /\b(?:loudly|speak loud|talk loud|be louder|but loud|shout|raise your voice|into the phone|hear properly|barely hear|hardly hear)\b/,
      /\b(?:speak|talk) (?:up|louder|a (?:bit|little) (?:up|louder))\b/,
      /\b(?:louder|too quiet|very faint|very quiet|barely audible|breaking up|cutting out|mumbling|line is (?:bad|terrible|awful))\b/,
      /\b(?:can not|can hardly|can barely|not|could not) (?:really |hardly |quite )?(?:hear|make out|make) (?:you|a word|anything|a thing)(?: out)?\b/,
      /\byou (?:have gone|are|went) (?:all |very |so |really )?(?:quiet|faint|muffled)\b/,
      /\bturn (?:it|the volume|yourself) up\b/,
      /^(?:what )?(?:can not hear|not hear)(?: you)?$/,
    ],
  ],
  [
    "slower",
    [
      /\bnot (?:so )?(?:fast|quick)\b/,
      /^slow(?:ly)?(?:$| (?:please|i|down|down please)\b)/,
      /\b(?:slow down|slower|more slowly|more slow|too fast|too quick|not so (?:fast|quick)|slowly|going (?:awful|very|so|too|really) fast|(?:talk|talking|speak|speaking|going) (?:so|too|very) (?:fast|quick|quickly)|rushing me|one thing at a time)\b/,
    ],
  ],
  [
    "repeat",
    [
      /^(?!(?:so|and|no|yes|you|i|guess|know|tell|say|or|but|for|like)\b)(?:\w+ ){1,3}what(?: now| sorry| love| again| dear)?$/,
      /^(?:\w+ ){0,3}?what (?:was|is|were|are) the (?:first|last|second|third|middle|other) (?:one|option|choice|part|bit|thing)\b/,
      /^which (?:number|name|day|date|time|one|address) (?:do|did|would|should|are) (?:you|i)\b/,
      /\b(?:would|did|do|does|needs?|new|a|an|of|for|like|many|which|the|or) what(?: dear| sorry| now| love)?$/,
      /^(?:since|until|till|from) when\b/,
      /^(?:i am )?(?:sorry )?(?:but )?(?:what|huh|pardon|pardon me|excuse me|come again|say again|again|repeat|sorry|i beg your pardon|beg your pardon|eh|one more time|once more|come again love|what now|you what|say what|how is that|do what)(?: again| sorry| please| now)?$/,
      /^(?:\w+ ){0,3}?what (?:was|is|were|are) (?:that|the question|it|my (?:choices|options)|the (?:choices|options|question|date|day|time|first|last|second))(?: \w+)?(?: again| now| about)?$/,
      /^(?:\w+ ){0,3}?what (?:did|do|are|were) you (?:say|ask|saying|asking|just say|mean|want (?:me )?to know)(?: \w+){0,3}$/,
      /\b(?:repeat|say) (?:that|it|this|the (?:question|options|choices|last|first)|yourself|all that|those)\b(?! to)/,
      /\b(?:can|could|would|will) you (?:please )?repeat\b/,
      /\bi (?:did not|do not|can not|could not|missed|lost) (?:quite |really |fully )?(?:hear|catch|get|understand|follow|the|that|what|you)(?: (?:you|that|it|a word|what you (?:said|mean|want)|the (?:question|last|first|end|beginning|half|whole|day|number|part|middle)|what))?\b(?! (?:off|out|away|there|to|in|on|my|up|time|rid|around|through|home|back|work|why|how|whether|if|anything|any|a letter|the letter|the bill|the parcel|the email|paid|home|back))(?: \w+){0,4}$/,
      /^(?:what|which|who|when|where|between when|from one to what|\w+ (?:to|of|at|from) (?:what|when|which)|how many|which what|the what|the \w+ what|what day|which day|what time)(?: \w+){0,2}?(?: did you say| was (?:it|that)| again| now| when)?$/,
      /\b(?:did you say|you said what|say that again|go over (?:that|it|them) again|run (?:that|it) by me|what was that|one more time|once more|come again|say again)\b/,
      /\bi do not (?:understand|follow)(?: (?:you|the question|that|what you mean|what you are asking))?$/,
      /^\w+ digits of what$/,
    ],
  ],
  [
    "wait",
    [
      /^(?:okay |yes |well |oh |please |sorry )*(?:just )?(?:wait(?! with\b| (?:until|till|for) (?:next|after|later|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|the (?:weekend|spring|summer|autumn|fall|winter|end|new|next))\b)|hold on|hang on|hold the line|bear with me|one (?:moment|minute|second|sec|tick|mo)|(?:give|gimme) (?:me|us) (?:a|one|two|half a)|just a (?:moment|minute|second|sec|tick|mo)|half a (?:sec|minute|tick|mo)|a (?:moment|minute|second|sec) please|a (?:moment|minute|second|sec)|hold it|two ticks|two secs)\b/,
      /^let me (?:check|see|look|think|get|grab|find|ask|just|open|turn|fetch|have a look)\b/,
      /\b(?:hang on|hold on|bear with me|just a (?:minute|moment|second|sec)|one (?:sec|moment|second|minute)) (?:let me|i|till|until|while|somebody|someone|my|the)\b/,
    ],
  ],
  [
    "anybody_there",
    [
      /^(?:(?:hello|hallo|hi|hey|nurse) )*(?:hello|hallo|hey|anyone|anybody|are you (?:still )?(?:there|on|with me)(?: any more)?|is (?:there )?(?:anybody|anyone|somebody|someone) (?:still )?(?:there|on)(?: the line)?|anybody there|can you hear me|do you hear me|you (?:still )?(?:there|on|with me)|did i lose you|have i lost you|it went quiet|you went quiet|it has gone quiet)$/,
    ],
  ],
  [
    "insult",
    [
      /\byou (?:\w+ ){0,3}?(?:dumb|stupid|brainless|useless|pathetic|bloody|damn|wretched|idiotic|rotten|lousy|worthless|miserable) (?:\w+ )?(?:thing|box|machine|robot|bot|computer|creature|people|lot|piece|nuisance|pest)\b/,
      /\byou (?:are )?(?:\w+ ){0,2}?(?:nuisance|creep|creeps|pest|dimwit|numbskull|prat|git|halfwit|scum|moron)\b/,
      /\b(?:idiot|moron|moronic|stupid (?:machine|robot|thing|bot|computer|tin|bloody|question)|useless (?:\w+ )?(?:machine|robot|thing|bot|pile|piece|lot)|piss off|bugger off|sod off|fuck|f off|screw you|go to hell|shut (?:up|your)|asshole|arsehole|bastards?|jerk|dumbest|dumb (?:machine|robot|bot)|thick as|bloodsuckers|vultures|clowns|get lost|get stuffed|drop dead|where the sun|talking toaster|tin can|thieves|leeches|parasites|scumbags?|dickhead|wanker|twat|bitch|imbecile)\b/,
    ],
  ],
  [
    "goodbye",
    [
      /\b(?:ta ra|toodle(?: pip| oo)?|see ya|laters)$/,
      /\b(?:no|not (?:got |the )?|have not (?:got )?(?:the )?) ?time for (?:this|that|you|these)\b/,
      /(?<!\b(?:a|the|his|her|their|my|our|no|without) )\b(?:good ?bye|bye|bye bye|cheerio|ta ta|so long|farewell)(?: now| then| so| love| dear)*$/,
      /^(?!.*\b(?:it|he|she|they) (?:is|has|have|are) got\b)(?:\w+ ){0,3}?(?:i (?:have|need|must|got|have got|had better|really must|am going)|got|gotta) ?(?:to )?(?:go|run|leave|hang up|dash|get going|get off)(?: now| bye)*$/,
      /^(?:(?:okay|right|well|anyway|no|yes|sorry|and|listen|look|thanks) )*i am (?:hanging up|off|going|done here|ending this call|leaving now)(?: now| bye)*$/,
      /^(?:talk to you later|see you later|talk later|catch you later)$/,
    ],
  ],
];

/** Requests that end the call or change what happens to the callee outweigh those that only ask something. */
const ORDER = RULES.map(([request]) => request);

/** What is also said around an answer: "Two, no, sorry, three", "Hang on, let me see, yes." An answer beside it outweighs it. */
const SOFT: ReadonlySet<CalleeRequest> = new Set([
  "repeat",
  "wait",
  "who_calls",
  "why",
  "call_later",
  "not_person",
  "anybody_there",
  "slower",
  "goodbye",
]);

/**
 * Whether an answer that was said with a request outweighs it. A goodbye with hardly anything else is a goodbye, unless the
 * little else is the yes or no that was asked for.
 */
export function isSoft(request: CalleeRequest, text: string, answerKind: AskNode["answer"]): boolean {
  if (request === "stop_calling") return answerKind === "choice" && !ABOUT_CALLS.test(text);
  if (request === "wait" && BARE_WAIT.test(text)) return false;
  if (!SOFT.has(request)) return false;
  if (request !== "goodbye" || !BARE_GOODBYE.test(text)) return true;
  return answerKind === "yes_no" && YES_OR_NO.test(text);
}

/** "Take me off the list" may be one of the answers that were offered; "stop calling me" never is. */
const ABOUT_CALLS = /\b(?:call|calls|calling|phone|phoning|ring|ringing|number|contact|bother\w*|harass\w*)\b/i;

/**
 * To a question that is itself about a list, a place or cancelling, "take me off" answers it. What speaks of calls is
 * followed at any question. To one that offers a call, "get someone on the phone to me" agrees.
 */
export function isAboutQuestion(request: CalleeRequest | null, text: string, question: string): boolean {
  if (request === "human") return OFFERS_CALL.test(question) && !AT_ONCE.test(text);
  return request === "stop_calling" && LEAVES_LIST.test(question) && !ABOUT_CALLS.test(text) && !/\byour\b/i.test(text);
}

const OFFERS_CALL =
  /\b(?:would you like|do you want|shall|should|may|can)\b[^.?!]*\b(?:someone|somebody|a (?:nurse|colleague|person|doctor|specialist|technician)|one of us|we)\b[^.?!]*\b(?:call|ring|phone|speak|talk)\b[^.?!]*\?/i;

/** Not a call later, but someone else now. */
const AT_ONCE =
  /\b(?:now|right away|put me|transfer|connect|instead|machine|robot|computer|human|real person|let me (?:speak|talk)|can i (?:speak|talk))\b/i;

const LEAVES_LIST =
  /\b(?:cancel|list|unsubscribe|subscription|newsletter|news from us|membership|remove|take you off|keep your (?:place|plot|seat|slot|spot)|put you down|sign(?:ed)? up)\b/i;

const BARE_WAIT =
  /^\W*(?:just )?(?:one|a|half a|two) (?:moment|minute|second|sec|tick|mo|secs|ticks)(?:,? please)?\W*$/i;

const YES_OR_NO = /^\W*(?:(?:okay|ok|well|right|sorry|um|uh)[\s,.]+)*(?:no|nope|nah|yes|yeah|yep)\b/i;

const BARE_GOODBYE =
  /^(?:(?:okay|ok|all right|alright|right|no|nope|nah|not today|not now|thanks|thank you|well|fine|great|so|talk to you later|that['’]?s (?:it|all)|that is (?:it|all))[\s,.!]*)*(?:good ?bye|bye)\b/i;

/** "There's no Ada here". A name is written as one: "there's no lockbox here" is about something else. */
const NO_SUCH_NAME =
  /\b[Nn]o (?:Mr |Mrs |Ms |Miss |Dr )?\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?,? (?:(?:living |who lives )?here|lives here|at this (?:number|address))\W*$/u;

/** Said in passing, these ask for nothing. */
const INTERJECTION = /^(?:sorry|pardon|what|eh|again|excuse me|i am sorry|huh|hello|hi|hey)$/;

/** What comes between a refusal and what is refused: "don't want you to", "no need for me to". */
const REFUSING =
  "(?:please|need|want|wanting|like|wish|wishing|care|have|having|going|try|trying|bother|dare|just|you|to|me|us|be|being|get|getting|for|i|would|ever|again|interested|in|asking|keep|of|any|it|is|necessary|there)";
const NOT_CONNECTED = new RegExp(
  `\\b(?:not|never|no|stop|quit|without|rather not|instead of|nor)(?: ${REFUSING})* (?:(?:put|putting|pass|passing|hand|handing|patch|patching|connect|connecting|connected|transfer|transferring|transferred|speak|speaking|talk|talking|explain|discuss|chat|deal)\\b|(?:give|find|get|need|want|have)? ?(?:(?:me|us) )?${SOME_PERSON}\\b)`,
);
/** "Why don't you put me through?", "can't I speak to someone?" and "I never get a person" ask for it. */
const ASKS_WHY_NOT =
  /\bwhy\b|\b(?:can|could|may|might|will|would) (?:not (?:i|you|we)|(?:i|you|we) not)\b|\b(?:do|does|is|are|have) not (?:you|there|anybody|anyone)\b|\bis there (?:no|not)\b|\b(?:never|can not|could not|did not) (?:get|reach|find)\b/;
/** It is a machine that the callee does not want to speak to. */
const NOT_A_MACHINE =
  /\b(?:not|never|no|without|stop|rather not)(?: \w+){0,6}? (?:machines?|robots?|computers?|bots?|recordings?|programs?|automat\w+|gadgets?|things?)\b(?! (?:operator|manager))/g;
/** Not before, or with no one else: "I won't say anything until I speak to a person". */
const UNTIL_THEN = /\b(?:until|till|unless|before|except|other than|apart from|anything else)\b/;

/** Whether the callee does not want to be connected with anybody: "don't put me through to anyone". */
export function refusesPerson(text: string): boolean {
  return clausesOf(text).some((clause) => {
    const rest = clause.replaceAll(NOT_A_MACHINE, " ");
    return NOT_CONNECTED.test(rest) && !ASKS_WHY_NOT.test(rest) && !UNTIL_THEN.test(rest);
  });
}

/** What the callee wants besides answering the question, or null. */
export function findRequest(text: string): CalleeRequest | null {
  const clauses = clausesOf(text);
  const telling = clauses.filter((clause) => !INTERJECTION.test(clause));
  const looked = telling.length === 0 ? clauses : telling;
  const whole = withoutFillers(plainWords(text)).join(" ");
  const found = new Set([whole, ...looked].flatMap((clause) => requestsOf(clause)));
  if (NO_SUCH_NAME.test(text)) found.add("wrong_number");
  if (NAMES_ANOTHER.test(whole)) found.delete("not_person");
  // "No, don't connect me. Or rather, get me a person" still wants one.
  if (found.has("human") && refusesPerson(text) && !clauses.some((clause) => wantsPerson(clause)))
    found.delete("human");
  if (DATES_BY_DEATH.test(whole)) found.delete("deceased");
  if (/\bno way i am (?:driving|going)\b/.test(whole)) found.delete("driving");
  // A callee who was away and says hello is back.
  if (
    found.has("wait") &&
    found.size <= 2 &&
    !found.has("repeat") &&
    /^(?:hello|hallo|hey|are you)/.test(clauses.at(-1) ?? "")
  )
    return "anybody_there";
  return ORDER.find((request) => found.has(request)) ?? null;
}

function wantsPerson(clause: string): boolean {
  return requestsOf(clause).includes("human") && !refusesPerson(clause);
}

function clausesOf(text: string): readonly string[] {
  return text.split(/[.?!;,]+(?=\s|$)|\s[-–—]+\s|\bbut\b/i).flatMap((part) => {
    const words = withoutFillers(plainWords(part));
    return words.length === 0 ? [] : [words.join(" ")];
  });
}

function requestsOf(clause: string): CalleeRequest[] {
  return RULES.flatMap(([request, patterns]) => (patterns.some((pattern) => pattern.test(clause)) ? [request] : []));
}
