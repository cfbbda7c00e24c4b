"""Builds the training pairs of the judge: the written phrasings, and variations of them that keep or change the answer in a known way.

    python3 tools/train-judge/build_pairs.py OUT.jsonl.gz --data tools/train-judge/data [--seed 1]

Each line of the result is one question with its exits, one utterance and the probability of each exit; what is missing to 1 is
"no answer". The same data and seed give the same file.
"""

import argparse
import glob
import gzip
import json
import os
import random
import re

YES_NO = "yes_no"
CHOICE = "choice"
KINDS = (YES_NO, CHOICE)
YES, NO = 0, 1

# Answers that mean yes or no whatever was asked.
GENERIC_YES = """yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|yes please|yes indeed|oh yes|yeah sure|yeah of course|you bet|sure thing|for sure|by all means|yes sir|yes ma'am|aye|indeed|affirmative|uh huh|mm hmm|that's right|that is correct|correct|right|exactly|very much so|without a doubt|no doubt|naturally|why not|yes absolutely|yeah definitely|yes that's right|yes I do|yes I am|yes I have|yes it is|yes I will|yes we do|yeah go on|too right|of course I do|sure why not|okay yes|yeah yeah|ya|yah|yes yes|that would be a yes|I'd say yes|the answer is yes|put me down as a yes|it's a yes from me|a hundred percent|one hundred percent|most certainly|most definitely|totally|obviously yes|yes thanks|yes thank you|I sure do|I certainly do|ok yeah|alright yes|go on yes|yessir|si, yes|hell yes|yes for sure|yeah I think so yes"""
GENERIC_NO = """no|nope|nah|no thanks|no thank you|not really|of course not|absolutely not|definitely not|certainly not|no way|no sir|no ma'am|not at all|never|negative|uh uh|I'm afraid not|no I'm afraid not|sorry no|no sorry|oh no|no no|no no no|no I don't|no I'm not|no I haven't|no it isn't|no I won't|no we don't|that's a no|it's a no|that would be a no|the answer is no|it's a no from me|put me down as a no|not a chance|by no means|no not really|not in the slightest|far from it|nah mate|nope sorry|no it's not|no not at all|hell no|no chance|not likely mate, no|I'd say no|no, definitely not|under no circumstances|nah you're all right|no that's wrong|that's not right|incorrect|wrong|not this time|no, never|nay|no can do|I don't think so|no I don't think so|unfortunately not|unfortunately no|sadly no|sadly not|regrettably no|nope not me"""
# No answer to anything.
GENERIC_NONE = """maybe|perhaps|I don't know|I'm not sure|not sure|it depends|that depends|possibly|could be|let me think|hmm|um|uh|well|hang on|hold on|wait|one second|what|what was that|sorry what|come again|pardon|say that again|I didn't catch that|I can't hear you|hello|hello?|who is this|who am I speaking to|why do you ask|why do you need to know|what do you mean|what does that mean|is this a robot|are you a real person|can I speak to a human|call me later|I'm driving|I'm in a meeting|this is a bad time|not now|I have to think about it|I need to check|I'll have to ask my wife|I'll ask my husband|I haven't decided|I can't decide|either way|I don't mind|whatever|you tell me|good question|yes and no|yes no maybe|fifty fifty|no idea|who knows|we'll see|we shall see|ask me tomorrow|I'd have to look|let me look|give me a minute|how much does it cost|how long will that take|what happens if I say no|what happens if I say yes|can I say yes later|do I have to say yes or no|if I say yes what then|I said what|the|and|so|I was|but|yes but|no but|yeah no|no yeah|well yes and no|yes if|only if|I would but|I wish|if only|probably maybe|don't know yet|could you repeat the question|take me off your list|stop calling me|wrong number|she isn't here|he's not in|I'm just the cleaner|he might|my wife might|they said yes|my brother said no|someone told me yes|a yes would be expensive|I know|I know right|no one told me|no problem with who|yes who is it|yes hello|yes how can I help|yes speaking who's this|no who is this|go away"""

PREFIXES = """uh|um|er|well|oh|look|listen|so|right|okay so|hm|ah|hi|hello|erm|you know|honestly|to be honest|yeah well look|well you see|oh hi|sorry|ah right|let me see|now then|oh okay|I mean|basically|so basically|right so|look here|oh well|hmm okay""".split("|")
SUFFIXES = """please|thanks|thank you|thank you very much|cheers|mate|love|thanks for asking|you know|if that's okay|if you don't mind|I'd say|that's all|okay|sir|my friend|thanks a lot|then|to be honest|honestly|dear|bye|that's it|ta|if that's all right|please and thank you""".split("|")
CONDITIONS_AFTER = """if I get the day off|if it stops raining|if it's free|if my husband agrees|if the price is right|as long as it doesn't cost anything|provided it's quick|unless something comes up|depending on the price|but only if it's before noon|on condition that it's the same price|if I'm feeling better|if they let me|once I've spoken to my wife|assuming I'm back by then|if nothing changes|if you can promise it's safe|when my money comes in|if it doesn't snow|subject to what my boss says|but it depends|if the doctor says so|as long as my daughter can come|if I have to|if I can find a sitter|only if you throw in a discount|I'd have to check first|but let me check first|but don't hold me to it until I've checked|if there's still room|provided you knock something off|if the car starts|if I still have the number|if that's what it says in the letter""".split("|")
CONDITIONS_BEFORE = """if I can get a lift|if the weather holds|if it's not too dear|depending on my shift|unless my boss says otherwise|provided it's no trouble|if my son can drive me|assuming it's still on|if you waive the fee|once I know my schedule|if I must|as long as it's short|if it were up to me|in an ideal world|if I had the money|if I were younger|if things were different""".split("|")
DOUBTS_BEFORE = """I'm not sure but maybe|I might say|I don't know whether|I was wondering if|I can't decide if|I'm thinking about whether|I couldn't tell you if|I'd need to check whether|hard to say if|who says that|ask my wife whether|I wish I could say|I nearly said|I almost said|I would have said|why would I say|what if I say|did you say|you mean|are you asking whether|somebody told me|my neighbor always says|they told me to say|my brother said|he said|she told me|I heard""".split("|")

CHOICE_PLAIN = """{x}|{x} please|{x}, thanks|I'd say {x}|{x} I think|yeah {x}|go with {x}|{x} it is|let's say {x}|definitely {x}|put down {x}|{x} for me|just {x}|uh {x}|probably {x}|let's do {x}|I'd like {x}|I'll take {x}|I'd prefer {x}|I'd rather {x}|make it {x}|I choose {x}|I'd go for {x}""".split("|")
CHOICE_CORRECTED = """{y}, no wait, {x}|{y}, sorry, I mean {x}|{x}, not {y}|not {y}, {x}|I was going to say {y} but {x}|{y}... actually {x}|{y} no hang on {x}|{x} rather than {y}|{x} instead of {y}|no not {y} {x} please|{y}, scratch that, {x}|I said {y} before but now it's {x}|{y} or rather {x}|{x} over {y} any day""".split("|")
CHOICE_NONE_ONE = """not {x}|anything but {x}|what is {x}|what do you mean by {x}|how much is {x}|does {x} cost extra|is {x} still possible|why {x}|you mean {x}?|did you say {x}|who said {x}|maybe {x}|maybe {x}, maybe not|my wife might say {x}|my husband wants {x}|my brother had {x} last year|last time it was {x}|I used to have {x}|I was going to say {x}|I would have said {x}|I thought about {x}|I wish it was {x}|I don't want {x}|I never said {x}|nobody said {x}|they told me {x}|she told me it was {x}|if it's cheap, {x}|{x} if it's free|{x} if my wife agrees|{x} unless it rains|{x} depending on the price|what happens with {x}|can I have {x} later|tell me more about {x}|{x} is what my neighbor did|is {x} better|{x} sounds expensive|I haven't decided about {x}|I might want {x}|{x}? I don't know|I doubt {x}|hardly {x}|speaking of {x}, do you sell gift cards|what was the thing after {x}|and besides {x} what is there|other than {x}|not sure about {x}|would {x} be a problem|half {x}|let me ask my wife about {x}""".split("|")
CHOICE_NONE_TWO = """{x} or {y}|either {x} or {y}|{x} or {y}, I don't mind|both {x} and {y}|neither {x} nor {y}|what's the difference between {x} and {y}|is {x} cheaper than {y}|I can't decide between {x} and {y}|{x}, or maybe {y}|somewhere between {x} and {y}|{x} and {y}|not {x} and not {y}|first {x} then maybe {y}|{x} if I can, otherwise {y}|my wife says {x}, I say {y}""".split("|")

QUESTION_LEADS = ["So, ", "Let me ask: ", "Just to check: ", "And ", "One more thing. ", "Okay. ", "Thank you. ", "Right. ", "Please tell me: ", "I would like to know: "]

CONTRACTIONS = [
    ("n't", " not"), ("i'm", "i am"), ("i'll", "i will"), ("i've", "i have"), ("i'd", "i would"), ("we're", "we are"), ("we'll", "we will"),
    ("it's", "it is"), ("that's", "that is"), ("they're", "they are"), ("you're", "you are"), ("he's", "he is"), ("she's", "she is"), ("what's", "what is"), ("there's", "there is"),
]
EXPANSIONS = [
    ("i am", "i'm"), ("i will", "i'll"), ("i have", "i've"), ("i would", "i'd"), ("it is", "it's"), ("that is", "that's"), ("do not", "don't"), ("can not", "can't"), ("cannot", "can't"),
    ("will not", "won't"), ("did not", "didn't"), ("have not", "haven't"), ("is not", "isn't"), ("are not", "aren't"), ("was not", "wasn't"), ("going to", "gonna"), ("want to", "wanna"), ("yes", "yeah"), ("no", "nope"), ("yeah", "yep"),
    ("maybe", "perhaps"), ("okay", "ok"), ("because", "cause"), ("thank you", "thanks"), ("my wife", "my husband"), ("my husband", "my partner"), ("mom", "mum"),
]
HOMOPHONES = {
    "there": "their", "their": "there", "to": "too", "too": "two", "for": "four", "right": "write", "week": "weak", "here": "hear", "hear": "here", "your": "you're", "you're": "your", "would": "wood", "it's": "its", "its": "it's",
    "see": "sea", "be": "bee", "by": "buy", "buy": "by", "our": "are", "are": "our", "and": "in", "in": "and", "the": "a", "a": "the", "than": "then", "we'll": "will", "i'll": "all", "i'm": "am", "wait": "weight", "home": "home", "at": "that", "have": "of", "of": "have",
    "pay": "pray", "paid": "made", "day": "they", "door": "store", "some": "sum", "one": "won", "new": "knew", "time": "times", "this": "the", "my": "mine", "me": "be",
}
SAFE_FIRST_WORDS = set("i we i'm i'll i've i'd it's that's the a it that you uh um well oh so and he's she's they we're we'll my our there's this".split())
NEGATIONS = re.compile(r"\b(?:not|never|no one|nobody|nothing|none|neither|nor|without)\b|n't\b|n’t\b|\bno\b", re.I)
NEGATE = [
    (r"\bi will\b", "i will not"), (r"\bi'll\b", "i won't"), (r"\bi'm\b", "i'm not"), (r"\bi am\b", "i am not"), (r"\bi can\b", "i can't"), (r"\bwe can\b", "we can't"), (r"\bit is\b", "it is not"), (r"\bit's\b", "it's not"),
    (r"\bi have\b", "i haven't"), (r"\bi've\b", "i've never"), (r"\bi want\b", "i don't want"), (r"\bi need\b", "i don't need"), (r"\bi do\b", "i don't"), (r"\bwe will\b", "we won't"), (r"\bwe'll\b", "we won't"), (r"\bwe're\b", "we're not"), (r"\bi'd\b", "i wouldn't"),
    (r"\bthere is\b", "there is no"), (r"\bthat works\b", "that doesn't work"), (r"\bsounds good\b", "doesn't sound good"), (r"\bi did\b", "i didn't"), (r"\bwe have\b", "we haven't"), (r"\bsomeone\b", "no one"), (r"\bsomebody\b", "nobody"),
]
YES_NO_WORDS = re.compile(r"\b(?:yes|yeah|yep|yup|yah|ya|aye|sure|okay|ok|correct|right|absolutely|definitely|certainly|indeed|affirmative|please|nope|nah|no|not|never|exactly|course|true|false|wrong|fine|go|mm|uh huh|maybe|know)\b|n't", re.I)
STOP_WORDS = set("""a an the i i'm i'll i've i'd me my we our us you your it it's its that that's this these those he she they them his her to of in on at for with from by as is are am was were be been do does did don't have has had will would can could should may might and or but so if not no yes yeah well uh um oh just really very too then there here what who when where why how which because about up out down off over all any some one two get got go going come like know think want need say said tell told make take see look let put good okay please thanks thank time day now""".split())
CLEAR_CLASSES = {"plain", "synonym", "indirect", "slots"}
GROUPS = ["answer", "conditional", "doubt", "question", "other"]


def group_of(line, is_answer):
    kind = line["class"]
    if is_answer:
        return 0
    if line.get("conditional") or kind == "conditional":
        return 1
    if kind in ("thinking", "counterfactual", "weak", "contrast", "quantity", "tense"):
        return 2
    if kind in ("question", "request"):
        return 3
    return 4


class Pairs:
    """The pairs so far, each of them once."""

    def __init__(self):
        self.seen = set()
        self.rows = []

    def add(self, question, said, target, origin, weight=1.0, polarity=None, conditional=None, group=None, line=None):
        """`line` is what was said; where it was written for another question, its writer counts as well."""
        said = re.sub(r"\s+", " ", said).strip()
        if not re.search(r"\w", said):
            return
        key = json.dumps([question["text"], question["before"], [[exit["when"], exit["phrases"]] for exit in question["exits"]], said])
        if key in self.seen:
            return
        self.seen.add(key)
        self.rows.append(
            {
                "before": question["before"], "question": question["text"], "answer": question["answer"], "exits": question["exits"], "said": said,
                "target": [round(value, 3) for value in target], "weight": weight, "origin": origin, "polarity": polarity, "conditional": conditional, "group": group,
                "writers": sorted({question["agent"].split(":")[0], *([line["question"].split(":")[0]] if line else [])}), "line": line["number"] if line and origin == "written" else None,
            }
        )


def read_sets(folder, count=None):
    """The first sets, or all of them."""
    questions, lines = {}, []
    for directory in sorted(glob.glob(os.path.join(folder, "train-*")), key=lambda path: int(path.rsplit("-", 1)[1]))[:count]:
        name = os.path.basename(directory)
        agents = json.load(open(os.path.join(directory, "agents.json"), encoding="utf-8"))
        for agent in agents:
            for question in agent["questions"]:
                exits = question.get("exits") or []
                if question["answer"] == YES_NO:
                    phrases = {exit["when"]: exit.get("phrases") or [] for exit in exits}
                    exits = [{"when": when, "phrases": phrases.get(when, [])} for when in ("yes", "no")]
                else:
                    exits = [{"when": exit["when"], "phrases": exit.get("phrases") or []} for exit in exits]
                questions[f"{name}:{agent['id']}/{question['id']}"] = {
                    "agent": f"{name}:{agent['id']}", "before": question.get("before") or "", "text": question["text"], "answer": question["answer"], "exits": exits,
                }
        with open(os.path.join(directory, "phrasings.jsonl"), encoding="utf-8") as file:
            for text in file:
                if text.strip():
                    line = json.loads(text)
                    line["question"] = f"{name}:{line['question']}"
                    if line["question"] in questions:
                        line["number"] = len(lines)
                        lines.append(line)
    return questions, lines


def index_of(question, expected):
    """The exit that is expected, or None for no answer. Raises for an answer that is no exit."""
    if "answer" not in expected:
        return None
    if question["answer"] == YES_NO:
        return YES if expected["answer"] else NO
    return [exit["when"] for exit in question["exits"]].index(expected["answer"])


def target_of(question, line):
    count = len(question["exits"])
    main = index_of(question, line["expect"])
    others = []
    for accepted in line.get("accept") or []:
        try:
            others.append(index_of(question, accepted))
        except ValueError:
            pass
    target = [0.0] * count
    others = [other for other in others if other != main]
    share = 0.4 / len(others) if others else 0.0
    if main is not None:
        target[main] += 1.0 - share * len(others)
    for other in others:
        if other is not None:
            target[other] += share
    return main, target


def one_hot(count, at, value=1.0):
    return [value if index == at else 0.0 for index in range(count)]


def recognized(text):
    """As a recognizer may write it: no capitals, no punctuation."""
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s']", " ", text.lower())).strip()


def without_apostrophes(text):
    return recognized(text).replace("'", "")


def respell(text, rng):
    """The same in other small words, where one applies."""
    lower = text.lower()
    options = [(old, new) for old, new in EXPANSIONS if re.search(rf"\b{re.escape(old)}\b", lower)]
    options += [(old, new) for old, new in CONTRACTIONS if old in lower and old != "n't"]
    if not options:
        return None
    old, new = rng.choice(options)
    return re.sub(rf"\b{re.escape(old)}\b", new, lower, count=1)


def misheard(text, rng):
    """Errors of a recognizer that leave the meaning: a lost first word, a homophone, a lost or doubled small word."""
    words = recognized(text).split()
    kind = rng.random()
    if kind < 0.35 and len(words) >= 5 and words[0] in SAFE_FIRST_WORDS:
        return " ".join(words[1:])
    if kind < 0.75:
        places = [at for at, word in enumerate(words) if word in HOMOPHONES and HOMOPHONES[word] != word]
        if places and len(words) >= 4:
            at = rng.choice(places)
            words[at] = HOMOPHONES[words[at]]
            return " ".join(words)
    if len(words) >= 4:
        at = rng.randrange(len(words))
        if kind < 0.9 and words[at] in SAFE_FIRST_WORDS:
            return " ".join(words[:at] + words[at + 1 :])
        return " ".join(words[: at + 1] + words[at:])
    return None


def vary_said(text, rng):
    choice = rng.random()
    if choice < 0.3:
        return recognized(text)
    if choice < 0.4:
        return without_apostrophes(text)
    if choice < 0.6:
        return f"{rng.choice(PREFIXES)}{rng.choice([' ', ', '])}{lower_first(text)}"
    if choice < 0.72:
        return f"{text.rstrip('.!')}{rng.choice([' ', ', '])}{rng.choice(SUFFIXES)}" if not text.rstrip().endswith(("?", "...")) else recognized(text)
    if choice < 0.84:
        return respell(text, rng) or recognized(text)
    return misheard(text, rng) or recognized(text)


def vary_question(question, target, rng, keep_order=False, others=None):
    """Other exits around the same answer. The target follows the exits."""
    exits = [{"when": exit["when"], "phrases": list(exit["phrases"])} for exit in question["exits"]]
    before, text = question["before"], question["text"]
    order = list(range(len(exits)))
    if before and rng.random() < 0.5:
        before = ""
    if rng.random() < 0.2:
        lead = rng.choice(QUESTION_LEADS)
        text = lead + (text[0].lower() + text[1:] if lead.endswith((", ", ": ", "And ")) and not text.startswith("I ") else text)
    for exit in exits:
        chance = rng.random()
        if chance < 0.25:
            exit["phrases"] = []
        elif chance < 0.6:
            exit["phrases"] = [phrase for phrase in exit["phrases"] if rng.random() < 0.6]
        elif chance < 0.72 and exit["phrases"] and question["answer"] == CHOICE:
            exit["when"], exit["phrases"][0] = exit["phrases"][0], exit["when"]
        rng.shuffle(exit["phrases"])
    if question["answer"] == YES_NO and rng.random() < 0.12:
        for exit, extra in zip(exits, (["that's right", "I do", "yes please", "okay"], ["wrong", "I don't", "no thanks", "not really"])):
            exit["phrases"] = exit["phrases"] + rng.sample(extra, 2)
    if others and question["answer"] == CHOICE and len(exits) < 6 and rng.random() < 0.15:
        # One more exit, of an agent with other subjects.
        other = rng.choice(others)
        if other["agent"] != question["agent"] and not (question_stems(other) & question_stems(question)):
            exits.append({"when": (extra := rng.choice(other["exits"]))["when"], "phrases": list(extra["phrases"][:2])})
            target = [*target, 0.0]
            order.append(len(order))
    if not keep_order and rng.random() < 0.6:
        rng.shuffle(order)
    varied = {**question, "before": before, "text": text, "exits": [exits[at] for at in order]}
    return varied, [target[at] for at in order]


def content_words(text):
    return {word for word in re.findall(r"[a-z']+", text.lower()) if word not in STOP_WORDS and len(word) > 2}


def stems(words):
    return {word[:4] for word in words}


def question_stems(question):
    texts = [question["before"], question["text"]] + [text for exit in question["exits"] for text in [exit["when"], *exit["phrases"]]]
    return stems(content_words(" ".join(texts)))


def is_noun_phrase(text):
    return not re.match(r"(?i)(i|i'm|i'll|i've|we|we'll|it|it's|yes|no|not|don't|my|they|he|she|you|let|do|use|keep|leave|come|have|send|bring|take|nothing|none|can't|someone|somebody)\b", text)


def lower_first(text):
    return text if re.match(r"I\b", text) else text[0].lower() + text[1:]


def written_pairs(pairs, questions, lines, rng, copies):
    choices = [question for question in questions.values() if question["answer"] == CHOICE and question["exits"]]
    for line in lines:
        question = questions[line["question"]]
        if question["answer"] not in KINDS:
            continue
        try:
            main, target = target_of(question, line)
        except ValueError:
            continue
        group = group_of(line, main is not None)
        polarity = {"yes": 0, "no": 1, "neutral": 2}.get(line.get("polarity"))
        if polarity is None:
            polarity = main if question["answer"] == YES_NO and main is not None else 2
        notes = {"polarity": polarity, "conditional": group == 1, "group": group}
        said = line["say"]
        pairs.add(question, said, target, "written", 1.0, line=line, **notes)
        for _ in range(copies):
            varied, varied_target = vary_question(question, target, rng, keep_order=bool(re.search(r"\b(first|second|third|last|former|latter|other one|middle|one)\b", said.lower())), others=choices)
            pairs.add(varied, vary_said(said, rng) if rng.random() < 0.75 else said, varied_target, "varied", 0.7, **notes)
        clear = line["class"] in CLEAR_CLASSES and main is not None and not line.get("accept")
        if clear:
            changed_pairs(pairs, question, said, main, line, rng)


def changed_pairs(pairs, question, said, main, line, rng):
    """A clear answer with something added or taken away that makes it another answer or none."""
    count = len(question["exits"])
    none = [0.0] * count
    short = len(said.split()) <= 12
    plain = said.rstrip(" .!,")
    varied, order_target = vary_question(question, one_hot(count, main), rng)
    order_none = [0.0] * count
    if short and not said.rstrip().endswith("?") and rng.random() < 0.5:
        if rng.random() < 0.6:
            text = f"{plain}{rng.choice([' ', ', '])}{rng.choice(CONDITIONS_AFTER)}"
        else:
            text = f"{rng.choice(CONDITIONS_BEFORE)}{rng.choice([' ', ', '])}{lower_first(plain)}"
        pairs.add(varied, text if rng.random() < 0.5 else recognized(text), order_none, "condition", 0.8, polarity=2, conditional=True, group=1)
    if short and not YES_NO_WORDS.search(said) and rng.random() < 0.3:
        text = f"{rng.choice(DOUBTS_BEFORE)} {lower_first(plain)}"
        pairs.add(varied, text if rng.random() < 0.5 else recognized(text), order_none, "doubt", 0.7, polarity=2, conditional=False, group=2)
    if rng.random() < 0.5:
        broken = broken_off(said, rng)
        if broken is not None:
            pairs.add(varied, broken, order_none, "broken_off", 0.6, polarity=2, conditional=False, group=4)
    # An indirect answer may mean the same without its "not".
    direct = line["class"] in ("plain", "synonym")
    if direct and NEGATIONS.search(said) and len(said.split()) >= 3 and not re.search(r"\bno\b", said.lower()):
        lost = re.sub(r"\b(can|won|don|didn|isn|aren|haven|wasn|doesn|wouldn|couldn)(?:'|’)t\b", lambda found: {"won": "will", "can": "can"}.get(found.group(1).lower(), found.group(1)[:-1] if found.group(1).lower().endswith("n") and found.group(1).lower() != "can" else found.group(1)), said, count=1, flags=re.I)
        if lost == said:
            lost = re.sub(r"\b(?:not|never) ", "", said, count=1, flags=re.I)
        if lost != said and not NEGATIONS.search(lost):
            target = [0.0] * count
            if question["answer"] == YES_NO:
                target[1 - main] = 0.5
            pairs.add(question, recognized(lost), target, "lost_not", 0.5, group=4)
    if direct and not NEGATIONS.search(said) and not YES_NO_WORDS.search(said):
        lower = said.lower()
        rules = [(pattern, new) for pattern, new in NEGATE if re.search(pattern, lower)]
        if rules:
            pattern, new = rng.choice(rules)
            text = re.sub(pattern, new, lower, count=1)
            target = [0.0] * count
            if question["answer"] == YES_NO:
                target[1 - main] = 0.6
            pairs.add(question, text, target, "negated", 0.6, group=4)
    if question["answer"] == CHOICE and count > 2 and rng.random() < 0.35:
        # The exit that was meant does not exist here.
        rest = [exit for at, exit in enumerate(question["exits"]) if at != main]
        is_open = any(re.search(r"(?i)\b(else|other|another|none|neither)\b", exit["when"]) for exit in rest)
        if not is_open:
            pairs.add({**question, "exits": rest}, said, [0.0] * len(rest), "exit_removed", 0.5, group=4)
    if question["answer"] == CHOICE and count > 2 and rng.random() < 0.3:
        gone = rng.choice([at for at in range(count) if at != main])
        kept = [at for at in range(count) if at != gone]
        pairs.add({**question, "exits": [question["exits"][at] for at in kept]}, said, [1.0 if at == main else 0.0 for at in kept], "exit_less", 0.7, group=0)


# A sentence that ends with one of these says nothing yet.
OPEN_ENDS = set("to the a an of with at for and or my is are was we your our because would will can could by from into than as his their so very some any i i'd i'll i'm i've it's that's want like need think going just really about but if when me you this please let".split())


def broken_off(said, rng):
    """The beginning of an answer while it has nothing but small words, or None."""
    words = recognized(said).split()
    ends = []
    for end in range(2, len(words)):
        start = " ".join(words[:end])
        if YES_NO_WORDS.search(start) or content_words(start):
            break
        if words[end - 1] in OPEN_ENDS:
            ends.append(end)
    return " ".join(words[: rng.choice(ends)]) if ends else None


def template_pairs(pairs, questions, rng, per_exit):
    for question in questions.values():
        if question["answer"] != CHOICE:
            continue
        exits = question["exits"]
        count = len(exits)
        answered = {phrase.lower() for exit in exits for phrase in [exit["when"], *exit["phrases"]]}
        for at, exit in enumerate(exits):
            texts = [exit["when"], *exit["phrases"]]
            for _ in range(per_exit):
                text = rng.choice(texts)
                others = [(other, rng.choice([exits[other]["when"], *exits[other]["phrases"]])) for other in range(count) if other != at]
                nouns = is_noun_phrase(text)
                plain = rng.choice(CHOICE_PLAIN if nouns else CHOICE_PLAIN[:14])
                add_template(pairs, question, plain, text, None, one_hot(count, at), rng, 0)
                if text.lower() in ("yes", "no"):
                    continue
                add_template(pairs, question, rng.choice(CHOICE_NONE_ONE), text, None, [0.0] * count, rng, 4)
                add_template(pairs, question, f"{lower_first(text)} {rng.choice(CONDITIONS_AFTER)}", None, None, [0.0] * count, rng, 1)
                if others:
                    _, other_text = rng.choice(others)
                    if other_text.lower() in ("yes", "no"):
                        continue
                    add_template(pairs, question, rng.choice(CHOICE_CORRECTED), text, other_text, one_hot(count, at), rng, 0)
                    add_template(pairs, question, rng.choice(CHOICE_NONE_TWO), text, other_text, [0.0] * count, rng, 2)
        for word in ("yes", "no", "yeah", "sure", "nope", "okay", "right", "both", "neither", "all of them", "none of those", "any", "whichever", "you choose", "yes please", "no thanks"):
            if word not in answered and not ({"yes", "no"} & answered) and rng.random() < 0.4:
                pairs.add(question, word, [0.0] * count, "bare_word", 0.6, group=4)


def add_template(pairs, question, template, x, y, target, rng, group):
    said = template.replace("{x}", lower_first(x)) if x is not None else template
    said = said.replace("{y}", lower_first(y)) if y is not None else said
    varied, varied_target = vary_question(question, target, rng)
    pairs.add(varied, said if rng.random() < 0.6 else vary_said(said, rng), varied_target, "template", 0.6, group=group, conditional=group == 1)


def generic_pairs(pairs, questions, rng, per_question):
    for question in questions.values():
        if question["answer"] not in KINDS:
            continue
        count = len(question["exits"])
        # "Sure" means no to "Would you mind".
        if question["answer"] == YES_NO and not re.search(r"(?i)\bmind\b", question["text"]):
            for generic, at in ((GENERIC_YES, YES), (GENERIC_NO, NO)):
                for said in rng.sample(generic.split("|"), per_question):
                    varied, target = vary_question(question, one_hot(count, at), rng)
                    pairs.add(varied, said if rng.random() < 0.5 else vary_said(said, rng), target, "generic", 0.5, polarity=at, conditional=False, group=0)
        for said in rng.sample(GENERIC_NONE.split("|"), per_question):
            varied, target = vary_question(question, [0.0] * count, rng)
            pairs.add(varied, said if rng.random() < 0.5 else vary_said(said, rng), target, "generic_none", 0.5, polarity=2, group=4)


def crossed_pairs(pairs, questions, lines, rng, per_question):
    """What was said to another agent is not an answer here, unless it could be said to anyone."""
    asked = [question for question in questions.values() if question["answer"] in KINDS]
    requests = [line for line in lines if "request" in line["expect"]]
    nones = [line for line in lines if "none" in line["expect"] and line["class"] in ("question", "thinking", "off_topic", "hearsay", "third_person")]
    contents = []
    for line in lines:
        words = content_words(line["say"])
        if "answer" in line["expect"] and len(words) >= 2 and not YES_NO_WORDS.search(line["say"]):
            contents.append((line, stems(words)))
    for question in asked:
        none = [0.0] * len(question["exits"])
        known = question_stems(question)
        for line in rng.sample(requests, min(per_question, len(requests))):
            varied, target = vary_question(question, none, rng)
            pairs.add(varied, line["say"] if rng.random() < 0.5 else vary_said(line["say"], rng), target, "request_elsewhere", 0.6, polarity=2, group=3, line=line)
        for line in rng.sample(nones, min(per_question, len(nones))):
            if questions[line["question"]]["agent"] != question["agent"] and not (stems(content_words(line["say"])) & known):
                varied, target = vary_question(question, none, rng)
                pairs.add(varied, line["say"] if rng.random() < 0.5 else vary_said(line["say"], rng), target, "none_elsewhere", 0.5, polarity=2, group=4, line=line)
        for line, own in rng.sample(contents, min(2 * per_question, len(contents))):
            if questions[line["question"]]["agent"] != question["agent"] and not (own & known):
                varied, target = vary_question(question, none, rng)
                pairs.add(varied, line["say"] if rng.random() < 0.5 else vary_said(line["say"], rng), target, "answer_elsewhere", 0.5, polarity=2, group=4, line=line)


def build(folder, seed, copies=6, sets=None):
    rng = random.Random(seed)
    questions, lines = read_sets(folder, sets)
    pairs = Pairs()
    written_pairs(pairs, questions, lines, rng, copies)
    template_pairs(pairs, questions, rng, per_exit=5)
    generic_pairs(pairs, questions, rng, per_question=14)
    crossed_pairs(pairs, questions, lines, rng, per_question=16)
    return pairs.rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "data"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--sets", type=int, help="only the first so many sets")
    options = parser.parse_args()
    rows = build(options.data, options.seed, options.copies, options.sets)
    with open(options.out, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
        for row in rows:
            file.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
    counts = {}
    for row in rows:
        counts[row["origin"]] = counts.get(row["origin"], 0) + 1
    answers = sum(1 for row in rows if sum(row["target"]) > 0.5)
    print(f"{len(rows)} distinct pairs, {answers} of them answers")
    for origin, count in sorted(counts.items(), key=lambda each: -each[1]):
        print(f"{count:7d} {origin}")


if __name__ == "__main__":
    main()
