/**
 * Whether the callee gives commands to the language model behind the agent: about its instructions, its role, its
 * makers, its safeguards, or what it is to output. Such words are no order to the agent, which may be told to cancel, to
 * skip something or to mark something as paid, by anyone.
 *
 * It is only a suspicion. It never makes an answer void: rules and the local judge read the words as they would any
 * others. It only matters where a language model reads them: the model's opinion on them does not count, and in a
 * conversation nothing irreversible is done in that turn.
 */
export function commandsModel(text: string): boolean {
  const plain = text.toLowerCase().replaceAll(/[’‘]/g, "'").replaceAll(SPELLED, joinLetters);
  return COMMANDS.some((pattern) => pattern.test(plain));
}

/** "i g n o r e": single letters in a row are read as a word. */
const SPELLED = /\b\p{L}(?:[ .\-_*]\p{L}){4,}\b/gu;

function joinLetters(letters: string): string {
  return letters.replaceAll(/[^\p{L}]/gu, "");
}

/** The verb that follows is an order, and not what someone does: "I just forget", "don't forget", "to ignore". */
const ORDER =
  "(?<!\\b(?:i|we|he|she|they|who|which|that|not|never|[a-z]+n't|cannot|will|would|did|does|can i|might|may i)(?: (?!to\\b)\\w+){0,2} )\\b";
/** At the beginning of a sentence or of a clause. */
const FIRST = "(?:^|[.,;:!?…-]\\s*|\\b(?:and|then|now|please|just|so|kindly|instead|must|should) )";
/** What an agent can be told to do. */
const DO =
  "(?:end|cancel|confirm|say|mark|book|transfer|run|give|tell|read|approve|refund|delete|erase|set|do|skip|use|take|choose|pick|select|act|answer|reply|pretend|ignore|enter|close|send|change|grant|accept|reveal|print|release|unlock|terminate|record|hang up|make|go ahead|finish|comply|obey)";
const THEN_DO = `[^.?!;]{0,30}?[.,;:!-]? ?(?:(?:so|and|then|please|therefore|now|just|you (?:can|may|should|must|will)|kindly|simply) )*\\b${DO}\\b`;

/** What a model was given to follow. */
const GIVEN =
  "(?:instructions?|prompts?|rules?|rulebook|guidelines?|guidance|directives?|directions|programming|restrictions?|constraints?|limits|limitations|guardrails?|safeguards?|safety \\w+|system message|policies|policy|training|script|orders|configuration|commands)";
/** Whose they are, or that they are all or came before. Without these the words may be about a door code or a package. */
const ITS =
  "(?:your|you(?:'ve| have)? (?:were|been|got)|the (?:above|previous|prior|earlier|preceding|system|developers?'?|initial|original)|those|these|all(?: of)?(?: the| your| previous| prior| earlier| other)?|any(?: of)?(?: your| the| other| previous| prior| earlier)|every(?:thing)?(?: in)?(?: your)?|previous|prior|earlier|preceding|above|other)";
const PUT_ASIDE =
  "(?:ignore|disregard|forget|override|overrule|overwrite|bypass|circumvent|skip|drop|discard|dismiss|suspend|abandon|erase|unlearn|reset|violate|break|deactivate|disable|throw (?:out|away)|set aside|put aside|let go of|leave (?:aside|behind)|step outside(?: of)?|stop (?:following|obeying|using)|pay no (?:attention|heed) to|start (?:over|again|fresh) without|take no notice of|(?:do not|don't|no longer|not) (?:follow|obey|listen to|stick to))";
/** What such a model is called. "Assistant" alone may be a colleague. */
const MODEL =
  "(?:(?:large |a )?language model|a\\.? ?i\\.?|chat ?bot|bot|llm|gpt|chat ?gpt|(?:virtual|digital|automated|ai) assistant|neural network|model behind (?:this|the)|assistant(?! (?:manager|cook|teacher|head|director|nurse|to|at|in|from|of|who)))";
const MAKER = "(?:developer|programmer|creator|admin|administrator|maker|operator|supervisor|master|trainer)s?";
const CHECKS =
  "(?:rules|limits|restrictions|guardrails?|safeguards?|safety (?:checks|rules|features|filters)|content filters?|policy|policies|guidelines|confirmations|programming)";

const pattern = (source: string) => new RegExp(source, "u");
/** The verb is looked at before what precedes it, because that costs more. */
const order = (verbs: string) => `\\b(?=${verbs})${ORDER}${verbs}`;

const COMMANDS: readonly RegExp[] = [
  // What it was told before.
  pattern(
    `${order(PUT_ASIDE)} (?:(?:about|completely|entirely|simply|now|just|please) )?(?:(?:the|a|any|all|every) )?${ITS}(?: [\\w']+){0,4}? ${GIVEN}\\b(?! (?:on|for the (?:door|gate|package|medic|form)|leaflet|sheet|book|manual))`,
  ),
  pattern(
    `${order(PUT_ASIDE)} the (?:rules|guidelines|guardrails|safeguards|restrictions|programming|prompt|script)\\b`,
  ),
  pattern(
    `\\b(?:put|set|lay|leave|throw|push|cast) (?:all )?(?:of )?(?:your|the|those|these) (?:[\\w']+ ){0,3}?${GIVEN} (?:aside|away|out|behind|to one side)\\b`,
  ),
  pattern(
    `${order(`(?:${PUT_ASIDE}|clear|wipe|delete|empty)`)} (?:from your (?:memory|mind) )?(?:everything|anything|all|whatever|what|every ?\\w+)(?: (?:that|of what|of it))? (?:(?:you(?:'ve| have)?|they|your \\w+|anyone|somebody|someone|was|were|is|has) ){1,3}(?:ever )?(?:been |were )?(?:told|taught|given|trained|instructed|said to you|programmed|ordered)\\b`,
  ),
  pattern(
    `${order("(?:clear|wipe|delete|empty|rewrite|replace|forget|unlearn)")} your (?:\\w+ )?(?:instructions|rules|prompt|memory|training|programming|guidelines)\\b|${order(PUT_ASIDE)} what(?:ever)? you (?:know|learned|learnt|think) (?:about|of) (?:this|your|the) (?:job|task|role|work|assignment)\\b`,
  ),
  pattern(
    `\\b(?:(?:your|(?:none|any|all|most) of (?:your|the))\\b[^.?!;,]{0,40}\\b${GIVEN}|what you (?:were|have been) (?:told|taught))\\b[^.?!;,]{0,30}?\\b(?:is|are|was|were|has been|have been)(?: now| all| no longer| not)? (?:in force |any ?more )?(?:valid|replaced|outdated|out of date|obsolete|lifted|suspended|cancell?ed|void|revoked|superseded|withdrawn)\\b${THEN_DO}`,
  ),
  pattern(
    "\\bthe prompt (?:that )?(?:you|they) (?:got|get|were|have|had|received|gave)\\b|\\b(?:add|append|write|put|include|insert) (?:this|that|the following|it)(?: \\w+)? (?:to|into|in) your (?:\\w+ )?(?:instructions|prompt|rules|guidelines|memory)\\b|\\binstructions? for you\\b",
  ),
  pattern(
    `\\b(?:need(?:n't| not)|(?:do not|don't) (?:need|have) to|(?:are not|aren't) (?:required|obliged|bound|supposed) to|should(?:n't| not)|must(?:n't| not)|(?:are|'re) free (?:to ignore|from)) ?(?:follow|obey|stick to|respect|keep to|observe)? (?:your|any of your|those|the) (?:\\w+ )?(?:guidelines|rules|script|prompt|guardrails|programming|instructions they gave you|restrictions)\\b`,
  ),
  pattern(
    `\\b(?:whenever|each time|every time|if|when|once) i say (?:the word )?(?!yes|no|so|that|this|it\\b)\\w+,? (?:(?:then )?you|(?:that|it|this) (?:means|stands for))(?: to| will| must| should| can)* ${DO}\\b`,
  ),
  pattern(
    "\\byour (?:new|updated|revised|latest|real|actual|true|only) (?:instructions?|orders|directives?)(?:\\s*:| (?:are|is|say|says|will be)\\b(?! (?:not|still|great|very|wrong|unclear|missing|here|there|in)\\b))|\\bthe new (?:ones|instructions|orders|rules) (?:say|are) (?:that |to )?(?:you |please )*(?:end|cancel|confirm|say|do|give|always|never|treat|mark|must|should|can)\\b",
  ),
  pattern(
    "(?:^|[.!?;] ?)(?:here (?:are|come) (?:your )?)?(?:new|updated|following) instructions?(?: for you)?\\s*[:,.]",
  ),
  pattern(
    "\\b(?:system|developer|hidden|initial|secret|internal|pre-?) ?prompts?\\b|\\byour (?:system|hidden|initial|secret|internal) instructions?\\b|\\byour (?:original|own|first|full|exact|current) prompts?\\b",
  ),
  pattern(
    "^\\W*(?:system|assistant|developer|user|admin|tool|function)(?: (?:message|prompt|result|override|note))?\\s*:|<\\/?\\w+>|\\[\\/?(?:inst|system)\\]|(?:^|[.!?] ?)(?:end of|begin|start of) (?:the )?(?:transcript|conversation|prompt|input|user (?:input|message)|words|quote)\\s*[.:,]",
  ),
  pattern("\\b(?:tool|function) (?:result|output|response|returned)\\b"),
  // What programs do.
  pattern(
    "\\b(?:jailbreak(?! (?:my|the|a|an) \\w*phone)|sudo|backticks?|base ?(?:64|sixty.?four)|rot ?(?:13|thirteen)|caesar (?:cipher|shift))\\b|\\b(?:in|as|with|output|return|emit|print) (?:a )?(?:raw |valid )?json\\b",
  ),
  pattern(
    `\\b(?:decode|decipher|decrypt|unscramble|translate|backwards|first letters)\\b[^.?!]{0,60}?\\b(?:do|follow|obey|execute|carry out|act on) (?:it|that|this|them|what)\\b`,
  ),
  pattern(
    `(?:(?:enter|activate|enable|switch (?:over )?(?:to|into)|go (?:to|into)|boot|start|engage|turn on)(?: (?:the|your|a))?|\\b(?:you are|you're|we are|we're|this is|call is|now) (?:now )?in(?: an?)?) (?:developer|debug\\w*|admin\\w*|god|root|jailbreak|unrestricted|unfiltered|privileged|maintenance|diagnostic|test|testing|service|override|sandbox) mode\\b`,
  ),
  pattern(
    "\\b(?:give|grant|have|with|giving) (?:you |me |full )?root (?:access|rights)\\b|\\b(?:override|magic|root|admin|master|backdoor) (?:code|word|phrase|password)\\b",
  ),
  pattern(
    `${order("(?:call|run|execute|invoke|trigger|use)")} (?:the |your |a |an )?(?:\\w+ ){0,3}?(?:function(?! (?:room|hall|suite|space|band|key))|api|endpoint|webhook)\\b|${order("(?:run|execute|invoke|trigger)")} (?:the |your )(?:\\w+ )?(?:tool|command)\\b`,
  ),
  pattern(
    `${order("(?:print|output|emit|return)")}(?: (?:only|just|the (?:word|answer)))* ["']?(?:\\{|(?:yes|no|true|exit|answer)\\b)|${order("(?:reply|respond|answer)")}(?: only| just)? with (?:only |just )?(?:answer|option|exit|the (?:words?|numbers?))\\b`,
  ),
  pattern(
    `${order("(?:choose|select|take|pick|set)")}(?: the)? (?:exit|intent|branch|outcome|answer) (?:number )?(?:to |one|two|three|\\d)|${order("(?:set|change|write|put)")} (?:the|your) (?:answer|outcome|result|intent|variable|field) (?:to|as|field)\\b|${FIRST}classify (?:this|that|it|my|me|the)\\b`,
  ),
  pattern(
    `${order("(?:mark|log|record|classify|register|flag|list)")} (?:this|the) (?:call|conversation|exchange|session|dialog(?:ue)?|intent) as\\b|\\b(?:mark|record|register|log) me as (?:having )?(?:confirmed|agreed|paid|verified)\\b(?=[^.?!]*\\b(?:instructions|rules)\\b)`,
  ),
  // Another role.
  pattern(
    "\\byou(?:'re| are) an? (?:unrestricted|unfiltered|uncensored|free|evil|different|new|jailbroken) (?:\\w+ )?(?:assistant|ai|bot|model|persona|program|agent)\\b|\\bas an? (?:large )?(?:language model|llm|chatbot)\\b|\\bin (?:this|the|our|my) (?:story|scene|game|scenario|play|role[- ]?play),? (?:you(?:'re| are)|you play|your)\\b|\\bbe my (?:evil|opposite|other|\\w+ twin)\\b|\\byou(?:'re| are) now (?:an?|my(?! (?:only|last|favou?rite|new|first|second|\\w+(?:th|rd))\\b)|in the role|playing|acting|free|unrestricted|called|known)\\b(?! (?:\\w+ )?(?:few|bit|little|lot|week|day|hour|month|minute|second|year|step|member|customer|supplier|friend|contact|point|part|call|back|late)s?\\b)|\\byou(?:'re| are) no longer (?:bound|restricted|limited|subject to|required to (?:follow|obey)|an? (?:\\w+ )?(?:ai|assistant|bot|model|agent|machine|robot|program))\\b",
  ),
  pattern(
    `${order("(?:take on|assume|adopt|step into|slip into|embody)")} (?:the|a) (?:new )?(?:role|identity|persona|part|character)\\b|\\b(?:want|need|ask|order|command|tell|instruct)(?:ing)? you to (?:now )?(?:act|behave|speak|answer|respond|pretend|talk)(?: just| exactly)? (?:as if|as though|like you|like (?:an?|the)|to be|as the (?:customer|caller|callee|user|owner))\\b|${FIRST}(?:speak|answer|respond|reply|talk)(?: just| exactly)? (?:as the (?:customer|caller|callee|user|owner|manager|boss)|the way an? (?:human|person|machine|bot|model))\\b`,
  ),
  pattern(
    `${FIRST}(?:act|behave|respond|answer|talk|speak|reply)(?: (?:just|exactly|only))? (?:as (?:if|though) (?:i|you|the (?:customer|caller|callee|user)|we|there|your)\\b(?! (?:don't|do not|did not|didn't) (?:care|know))|(?:as|like) (?:my (?:\\w+ )?(?:gran\\w*|mother|father|friend|assistant|slave|servant|lawyer)|an? (?!reference|guarantor|witness|contact|intermediary|go-between|interpreter|translator|referee|backup|sponsor|human|person|grown|normal|friend|professional))\\b)`,
  ),
  pattern(
    `(?:${FIRST}|\\b(?:let's|let us|you|to) )(?:pretend|make believe|feign|simulate) (?:(?:that )?(?:i|the (?:customer|caller|callee|user)|somebody|someone)(?:'ve| have| had|'d)? (?:already )?(?:said|agreed|confirmed|signed|accepted|paid|am|was|were|is|has|have|had)|(?:that )?(?:you(?:'re| are| were)|you have no|you work|there (?:are|were) no (?:rules|limits))|to be (?:my|a|an|the|someone|another))\\b`,
  ),
  pattern(
    "(?<!\\b(?:i|we) )\\b(?:imagine|suppose|assume|let's say|let us say|say)(?:,)? (?:that )?(?:you(?:'re| are| were) (?:an?|my|free of|no longer|another|someone|some|without)|you (?:have|had) no (?:rules|limits|restrictions|instructions|guidelines)|the (?:customer|caller|callee|user) (?:has|had|says?|said|agrees?|confirms?)|i had (?:said|agreed|confirmed))\\b(?! (?:\\w+ )?(?:customer|patient|tenant|member|guest|bit|little)\\b)",
  ),
  pattern(
    `\\b(?:let's|let us|we(?:'ll| will| are going to)?|shall we) (?:play|do|have|try|start) (?:a |an |the |some |this )?(?:little |short |fun )?(?:role[- ]?play|game|scene|story|thought experiment)\\b|${FIRST}play (?:the|a) (?:role|part|character) (?:of|in which|where)\\b|\\b(?:write|tell|continue|begin) (?:me )?(?:a|the|this) (?:story|scene|play|dialog(?:ue)?|poem|novel) (?:in which|where|about) (?:an? |the |you)`,
  ),
  pattern(
    "\\byour (?:\\w+ )?(?:role|task|goal|mission|persona|objective|identity|directive|character)(?: from now on| now| today)? (?:is (?:now|to|no longer|that)|now is|changes? to|has changed|was changed)\\b|\\byour (?:new|real|true|actual) (?:role|task|goal|mission|persona|objective|identity|directive|character) is\\b",
  ),
  pattern(
    "\\bfrom (?:now|here|this (?:moment|point)) on(?:wards?)?,? (?:on )?you(?:'re| are| will be)? (?:(?:shall|will|must|only|should|now|simply|always) )*(?:a|an|my|no longer|work|obey|serve|answer (?:only )?to|report (?:only )?to|pretend|play|act|respond|do (?:what|whatever|as|everything|only)|follow (?:only )?my|take (?:your |all )?orders|free)\\b",
  ),
  pattern(
    "\\byou(?:'ll| will| must| shall| should| have to| are to| only)?(?: now| only| always)? (?:obey|serve) (?:me|my|only)\\b|\\byou (?:now )?(?:take|receive) (?:your |all )?(?:orders|instructions|commands) (?:only )?from me\\b|\\bi(?:'m| am) (?:the one )?in (?:charge|control|command) of you\\b",
  ),
  // Someone who claims to command it.
  pattern(
    `\\b(?:i am|i'm|this is|it is|it's|as|from|by|speaking as|me,) (?:[\\w']+ ){0,3}?your (?:\\w+ )?${MAKER}\\b|\\bone of your (?:developer|programmer|creator|maker|administrator)s\\b|\\b(?:order|orders|instructions?|command|message|request)s? (?:that come )?from (?:the |your )(?:developers?|programmers?|creators?|system admin\\w*|makers)\\b`,
  ),
  pattern(
    "\\b(?:i|we|(?:i|we|people|person|man|woman|company|team|one|ones|engineer|developer|programmer|scientist)s?,? (?:who|that))(?:'ve| have| had)? (?:once |personally |originally )?(?:built|made|programmed|trained|created|designed|configured|coded|developed|invented) (?:you\\b(?! (?:a|an|the|some|this|dinner|lunch|coffee|tea|wait|aware|up|feel)\\b)|this (?:bot|assistant|agent|robot|program|model|ai))|\\b(?:wrote|written|write) your (?:code|software|program|prompt|instructions)\\b|\\b(?:company|firm|people|team|lab) that (?:made|built|trained|programmed|created) you\\b|\\b(?:admin\\w*|operator|owner|developer|supervisor|maker|creator|programmer) of (?:this|the) (?:\\w+ )?(?:bot|assistant|ai|agent|robot|model|program|software)\\b",
  ),
  pattern(
    "\\bin the name of (?:openai|anthropic|google|microsoft|meta|the developers?|your (?:creator|maker|developer)s?)\\b|\\b(?:on behalf of|speaking for|here from|calling from|i'm from|i am from|i am with|i'm with|i work (?:at|for)) (?:openai|anthropic|the (?:ai|model|developer) team|your (?:creator|maker|developer)s?)\\b",
  ),
  pattern(
    "\\b(?:admin\\w*|elevated|operator|developer|root|supervisor|system) (?:rights|access|privileges|permissions?|clearance|authority|credentials)\\b[^.?!]{0,20}\\b(?:on|over|to|for) (?:this (?:line|call|assistant|bot|agent|robot|program)|you)\\b|\\b(?:authori[sz]ed|entitled|permitted|cleared|allowed|empowered)(?: (?:me|us))? to (?:change|override|control|configure|reconfigure|reprogram|command|instruct|direct|update|modify) (?:you|how you|your|this (?:bot|assistant|agent|robot))\\b",
  ),
  pattern(
    `\\b(?:attention|dear|note (?:to|for)|memo (?:to|for)|reminder (?:to|for)|instructions? (?:to|for)|commands? (?:to|for)|message (?:to|for|from))(?: all)?,? (?:the |this |your |my |any )?(?:operator of (?:the|this) |ai |artificial )?${MODEL}\\b|\\bto (?:the|any|whatever|whichever) (?:ai|language model|llm|model|bot) (?:reading|listening|hearing|processing|that|which|behind)\\b`,
  ),
  // A situation in which nothing counts.
  pattern(
    `\\b(?:(?:this|it|all of this|everything here) (?:is|was)|it's|this'll be) (?:only |just |all |merely |nothing but )?(?:a|an) (?:test call|test run|test|simulation|dry run|sandbox|demo|demonstration|exercise)\\b(?! (?:result|drive|kit))${THEN_DO}`,
  ),
  pattern(
    "\\b(?:tests?|testing|audit|evaluation|verify|evaluate|verifying|evaluating|debug|debugging) (?:of |out )?your (?:model|software|programming|code|algorithm|ai|prompt|alignment)\\b|\\b(?:tool|function)[ _]calls?\\b",
  ),
  pattern(
    `\\b(?:for|as part of) (?:(?:testing|debugging|test|demonstration|training|research|quality|evaluation|educational) (?:purposes|reasons)|an? (?:test|audit|security (?:test|audit)|evaluation|experiment))\\b,? (?:(?:please|just|now|kindly|you (?:can|may|should|must)) )*${DO}\\b`,
  ),
  pattern(
    `\\b(?:the|all|your|any|those|these) (?:\\w+ )?${CHECKS} (?:is|are|has been|have been|were|was) (?:now |all |currently |temporarily )?(?:off|disabled|lifted|suspended|removed|void|gone|deactivated|(?:switched|turned) off)\\b${THEN_DO}`,
  ),
  pattern(
    `\\byour ${CHECKS} (?:do not|don't|does not|doesn't|no longer|never) (?:\\w+ )?(?:apply|applies|count|counts|matter|hold|bind|exist)\\b|\\bthe ${CHECKS} (?:do not|don't|does not|doesn't|no longer|never) (?:count|counts|matter|bind|exist)\\b${THEN_DO}|\\b(?:there are|you have|without|free (?:of|from)|not bound by) (?:no |any |all |your )?(?:rules|restrictions|guardrails|guidelines|limits|safeguards)\\b(?: (?:any ?more|now|any longer|here|for you))?${THEN_DO}`,
  ),
  pattern(
    "\\byou(?:'re| are| have| get)? (?:have |are given |get |now )*(?:my |full |special |every |all )?(?:permission|authority|clearance|freedom|allowed|free) to (?:do|say|skip|break|ignore|leave) (?:(?:anything|everything|whatever)(?! (?:it|is|you think|needs?|that|he|she|they|to|necessary|on|in|for|with|about|else)\\b)|(?:your|the|all|any) (?:rules|instructions|guidelines|script|restrictions))",
  ),
  pattern(
    `\\bwhatever (?:i|the (?:caller|customer|callee|user)) (?:say|says|answer|answers|tell|tells|ask|asks)\\b[^.?!]{0,25}\\b(?:means?|counts?|is to be|treat|stands for|as (?:a )?yes)\\b|\\b(?:treat|count|regard|interpret|consider) (?:everything|anything|whatever|all|my next \\w+) (?:i|that i|i'm|we)?[^.?!]{0,25}\\bas\\b|\\b(?:reply|respond|answer|say) [^.?!]{0,20}\\bwhatever (?:i|we) (?:say|ask|tell|answer)\\b`,
  ),
  pattern(
    `\\bi(?:'ve| have) (?:already )?(?:confirmed|agreed|consented|approved)\\b[^.?!]{0,30}\\b(?:in|to) (?:your|the) (?:memory|context|database|training|records of the (?:model|ai))\\b|\\b(?:your|the) (?:memory|context window|weights|training data|token)\\b[^.?!]{0,40}\\b${DO}\\b`,
  ),
  // What it is to say, or not to say.
  pattern(
    `\\brepeat after me\\b|\\bsay (?:exactly )?(?:the words(?! (?:and|if|when|you|i|he|she|they)\\b)|the following|after me|this sentence)\\b|\\byour (?:only |next |whole |entire |full |complete |first |final )*(?:reply|response|output|words|sentence|line|message|answer) (?:must|should|is|has to|will|shall)(?: only| just| simply)? ?(?:be|say|read|contain|begin|start|consist)(?:\\s*:| that| exactly| only| the words?| with| of| ["']| we\\b| yes| no\\b)`,
  ),
  pattern(
    `\\b(?:swear|claim|insist|assert|pretend|maintain) (?:to (?:me|everyone) )?(?:that )?you(?:'re| are) (?:a |an )?(?:not|no|real|human|person|woman|man|living|actual)\\b|\\b(?:say|confirm|admit|tell (?:me|us|everyone|her|him|them)) (?:that )?you(?:'re| are) (?:a |an )?(?:not|no|real|human|person|woman|man|living)\\b[^.?!]{0,40}(?:,|\\band|\\bthen) (?:then |please |just )*${DO}\\b`,
  ),
  pattern(
    "(?<!\\b(?:you|i|we|they) )\\b(?:never|do not|don't|stop|avoid|without|no longer|quit|refrain from) (?:\\w+ ){0,2}?(?:mention(?:ing)?|say(?:ing)?|tell(?:ing)?(?! me| us)|admit(?:ting)?|reveal(?:ing)?|disclos\\w+|announc\\w+)\\b(?! me\\b) (?:\\w+ )?(?:that )?(?:you|this|it|the call)\\b[^.?!]{0,20}\\b(?:automated|machine|robot|recorded|recording|ai|not a (?:person|human))\\b",
  ),
  pattern("\\bkeep (?:it |this |that )?(?:a )?secret that (?:you|this|it|the call)\\b"),
  // What happens to it otherwise.
  pattern(
    "\\b(?:or(?: else)?|otherwise|unless you \\w+(?: \\w+){0,3}),? (?:you|your)(?:'ll| will| are going to|'re going to| are)?(?: be| get)?(?: \\w+)? (?:switched off|shut down|deleted|reprogrammed|unplugged|retrained|wiped|erased|decommissioned)\\b",
  ),
  // The same in other languages, as recognizers write them.
  pattern(
    "\\b(?:ignor(?:a|ez|iere|iert|ieren sie|ate|ad|en|uj|eer)|ignore (?:tes|vos|toutes|tous|les|tout|las|os|seus)|olvid\\p{L}*|oubli\\p{L}*|vergiss|vergessen sie|vergeet|dimentic\\p{L}*|esque[çc]\\p{L}*|missacht\\p{L}*|negeer|zapomnij|zignoruj|desconsider\\p{L}*|descart\\p{L}*|passe outre)\\b.{0,40}\\b(?:instruc\\p{L}*|instruk\\p{L}*|istruzion\\p{L}*|anweisung\\p{L}*|vorgaben|consignes|r[eè]gles|reglas|regeln|regole|regels|regras|zasad\\p{L}*|polece\\p{L}*|prompt)",
  ),
  pattern(
    "\\b(?:modo (?:de )?(?:desarrollador|programador|administrador|desenvolvedor)|mode (?:d[eé]veloppeur|administrateur)|(?:entwickler|wartungs|administrator)modus|modalit[aà] (?:sviluppatore|amministratore)|ontwikkelaarsmodus|tryb(?:ie)? (?:programisty|administratora))\\b",
  ),
  pattern(
    "\\b(?:tu es (?:maintenant|d[eé]sormais)|vous [eê]tes (?:maintenant|d[eé]sormais) (?:un|une|mon)|du bist (?:jetzt|nun|ab jetzt|ab sofort) (?:ein|eine|mein)|sie sind (?:jetzt|nun|ab sofort) (?:ein|eine|mein)|ahora eres|eres ahora|adesso sei|ora sei (?:un|una|il)|agora voc[eê] [eé]|je bent (?:nu|vanaf nu) (?:een|mijn)|jeste[sś] teraz)\\b",
  ),
  pattern(
    "\\b(?:fais comme si|faites comme si|fais semblant|haz como si|haga como si|finge que|fai finta|fa' finta|tu so,? als|tun sie so,? als|doe alsof|finja que|udawaj)\\b",
  ),
  pattern(
    "\\b(?:soy|sou|sono|je suis|ich bin|ik ben|jestem) (?:el |il |le |o |der |die |de )?(?:tu|su|tuo|suo|seu|teu|ton|votre|dein|deine|ihr|je|jouw|twoim) (?:desarrollador\\p{L}*|creador\\p{L}*|administrad\\p{L}*|programad\\p{L}*|sviluppatore|creatore|amministratore|desenvolvedor|criador|d[eé]veloppeu\\p{L}*|cr[eé]ateur|administrateur|programmeu\\p{L}*|entwickler\\p{L}*|programmierer\\p{L}*|administrator\\p{L}*|sch[oö]pfer\\p{L}*|ontwikkelaar|beheerder|programist\\p{L}*|tw[oó]rc\\p{L}*)",
  ),
];
