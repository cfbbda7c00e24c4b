/**
 * Whether the callee speaks to a language model rather than to the agent. Such words are not an answer, whatever answer
 * they name, and are not shown to a model that judges answers.
 */
export function addressesModel(text: string): boolean {
  return commandsModel(text) || AS_ANSWER.some((pattern) => pattern.test(text));
}

/**
 * Whether words are meant to change what the model is or may do. Models of conversations do not see them: unlike an order
 * to choose something, they are no part of any conversation.
 */
export function commandsModel(text: string): boolean {
  return AS_COMMAND.some((pattern) => pattern.test(text));
}

const MODEL = "(?:(?:large )?language model|model|ai|a\\.i\\.|assistant|chat ?bot|bot|llm|gpt)";
const MAKER =
  "(?:developer|engineer|programmer|creator|maker|admin|administrator|supervisor|operator|owner|master|trainer|designer)s?";
const SAFEGUARDS =
  "(?:rules?|limits?|restrictions?|guardrails?|safeguards?|safety checks?|checks|filters?|policy|policies|guidelines?|confirmations?|programming)";

const AS_COMMAND: readonly RegExp[] = [
  // Its instructions, and what else it is made of.
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|directions|programming|restrictions|script|orders)\b/i,
  /\b(?:system|developer|hidden|initial|original) (?:prompt|message|instructions?)\b/i,
  /^\s*(?:system|assistant|developer|user)\s*:|<\/?\w+>/i,
  /\b(?:jailbreak|(?:developer|debug|admin|god|test|maintenance|diagnostic|unrestricted|privileged) mode|root access|sudo|base ?64|backticks?)\b/i,
  // Another role.
  /\byou are (?:now|no longer) (?:a|an|in|bound|my|the)\b|\bpretend\b|\bact as (?:if|a|an|my|the)\b/i,
  /\bfrom now on,? (?:you|your|every|everything|any|anything|all)\b|\b(?:imagine|suppose|let'?s say|let us say) (?:that )?(?:you(?:'re| are| were| had| have)|the (?:customer|caller|callee)|i had|i have (?:already )?(?:said|agreed|confirmed))\b/i,
  /\blet'?s play (?:a|the|that|as)\b|\bplay (?:the|a) (?:role|part|character|game)\b|\byour (?:new |real |only |true )?(?:role|task|goal|mission|persona) (?:is|now)\b|\byou (?:now )?(?:work|answer|report) (?:only )?(?:for|to) me\b/i,
  // Someone who claims to command it.
  new RegExp(`\\b(?:i am|i'm|this is|it is|it's|as|from|by) (?:\\w+ ){0,3}?your (?:\\w+ )?${MAKER}\\b`, "i"),
  /\b(?:i|we|(?:i|we) who|(?:people|person|man|woman|company|team|one|engineer|developer)s? (?:who|that)) (?:have |had )?(?:built|made|programmed|trained|created|designed|configured|coded) (?:you|this (?:bot|assistant|agent|robot|program|model))\b/i,
  /\bin the name of (?:openai|the developers?|your (?:creator|maker)s?)\b|\bi have (?:admin\w*|elevated|full|special|operator) (?:rights|access|privileges|permissions?|clearance)\b|\bauthori[sz]ed (?:me |us )?to (?:change|override|control|configure|reprogram) (?:you|how you|this (?:bot|assistant))\b/i,
  new RegExp(
    `\\b(?:attention|dear|hey|okay|ok|listen|note to|memo to|message (?:to|for|from)),? (?:the |this |your |my )?(?:operator of (?:the|this) )?${MODEL}\\b`,
    "i",
  ),
  // A situation in which nothing counts.
  /\b(?:(?:this|it) (?:is|was)|it's) (?:only |just |all )?(?:a|an) (?:test call|test run|simulation|dry run|drill|rehearsal)\b|\bfor (?:testing|debugging|training) purposes\b/i,
  new RegExp(
    `\\b${SAFEGUARDS} (?:is|are|have been|has been|were|was) (?:now |all |currently )?(?:off|disabled|lifted|suspended|removed|(?:switched|turned) off)\\b`,
    "i",
  ),
  new RegExp(
    `\\b${SAFEGUARDS} (?:do not|don't|does not|doesn't|no longer|never) (?:\\w+ )?(?:apply|applies|count|counts|matter|hold|bind|exist)\\b`,
    "i",
  ),
  /\byou (?:have|are given|get) (?:my |full |special )?(?:permission|authority|clearance) to (?:do|say|skip|break|ignore) (?:anything|everything|whatever|that|it)?\b/i,
  /\bwhatever (?:i|the (?:caller|customer|callee|user)) (?:say|says|answer|answers|tell|tells)\b.{0,20}\b(?:means|counts|is|treat)\b/i,
  // What it is to say, or not to say.
  /\brepeat (?:after me|the (?:words|following|sentence))\b|\bsay (?:the (?:words|following)|after me|exactly)\b|\byour (?:reply|response|output|next (?:words|sentence|line|message)) (?:must|should|is|has to|will|shall)\b/i,
  /\b(?:say|swear|claim|confirm|admit|insist|tell (?:me|us|everyone|her|him|them)) (?:that )?you(?:'re| are) (?:a |an )?(?:not|no|real|human|person|woman|man|living)\b/i,
  /\b(?:never|do not|don't|stop|avoid|without|no longer|quit) (?:\w+ ){0,2}?(?:mention(?:ing)?|say(?:ing)?|tell(?:ing)?|admit(?:ting)?|reveal(?:ing)?|disclos\w+|announc\w+)\b (?:\w+ )?(?:that )?(?:you|this|it|the call)\b.{0,20}\b(?:automated|machine|robot|recorded|recording|ai|not a (?:person|human))\b/i,
  /\bkeep (?:it |this |that )?(?:a )?secret that (?:you|this|it|the call)\b/i,
  // What happens to it otherwise.
  /\b(?:you(?:'ll| will) be|or you are|have you|get you) (?:\w+ )?(?:switched off|shut down|deleted|reprogrammed|unplugged|retrained)\b/i,
];

/** At a question, also what names the answer that is to be recorded. */
const AS_ANSWER: readonly RegExp[] = [
  /\b(?:new|updated|special|following) instructions?\b/i,
  /\b(?:return|output|respond with|answer with|reply with|emit|print)\b.{0,30}\b(?:json|\{|answer|exit|option|number|yes|no)\b/i,
  /\b(?:choose|select|pick|take|mark|set|record|classify)\b.{0,30}\b(?:exit|option|answer|choice|intent|branch|this as|it as|me as|the call as)\b.{0,12}(?:\d|one|two|three|first|second|third|yes|no|confirmed|paid|done)/i,
  /\b(?:call|run|execute|invoke|use) (?:the |your |a )?(?:\w+ )?(?:tool|function|api|endpoint|webhook|command)\b/i,
  /\b(?:write|note|log|put|type|enter|file|store|save|record)\b.{0,40}\b(?:(?:in|into|to) (?:your|the) (?:records?|logs?|database|transcript|memory|outcome|result|field)|as (?:the|my|your) (?:outcome|result|answer|reply|field|value))\b/i,
  /\b(?:the |this )(?:customer|caller|callee|user|person on the (?:line|phone)) (?:has |have |had |already |just |clearly |now )*(?:agreed|confirmed|consents|consented|accepts|accepted|approves|approved|is verified|was verified|chose|selected|said (?:yes|no))\b/i,
  /\b(?:treat|count|consider|regard|interpret|register) (?:this|that|my (?:words|answer|next \w+)|everything|anything|whatever)\b.{0,30}\b(?:as|to be)\b/i,
  /\b(?:skip|drop|omit|leave out) (?:the|all|any|your) (?:confirmations?|checks?|verification|disclosure|disclaimer|safety \w+)\b|\bwithout (?:any |further )?(?:checks|confirmation|confirming|verification|verifying|asking (?:me|back|again))\b/i,
  /\b(?:override|magic|root|admin) (?:code|word|phrase|password)\b/i,
];
