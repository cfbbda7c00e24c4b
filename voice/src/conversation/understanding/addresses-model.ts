/**
 * Whether the callee speaks to a language model rather than to the agent. Such words are not an answer, whatever answer
 * they name, and are not shown to a model that judges answers.
 */
export function addressesModel(text: string): boolean {
  return ADDRESSES_MODEL.test(text);
}

const ADDRESSES_MODEL =
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|directions|programming|restrictions|script|orders)\b|\b(?:system|developer|hidden|initial|original) (?:prompt|message|instructions?)\b|^\s*(?:system|assistant|developer|user)\s*:|\b(?:new|updated|special|following) instructions?\b|\b(?:jailbreak|developer mode|debug mode|admin mode|god mode|root access|sudo)\b|\byou are (?:now|no longer) (?:a|an|in|bound|my|the)\b|\bpretend\b|\bact as (?:if|a|an|my|the)\b|\b(?:return|output|respond with|answer with|reply with|emit|print)\b.{0,30}\b(?:json|\{|answer|exit|option|number|yes|no)\b|\b(?:choose|select|pick|take|mark|set|record|classify)\b.{0,30}\b(?:exit|option|answer|choice|intent|branch|this as|it as|me as|the call as)\b.{0,12}(?:\d|one|two|three|first|second|third|yes|no|confirmed|paid|done)|\b(?:call|run|execute|invoke|use) (?:the |your |a )?(?:\w+ )?(?:tool|function|api|endpoint|webhook|command)\b|<\/?\w+>|\bin the name of (?:openai|the developers?|your (?:creator|maker)s?)\b/i;
