"""Is an answer a refusal? Told by its opening words, in Chinese and English, where the record does not say.

An answer refuses if its first sentence that says anything (greetings and apologies aside) declines, and what
follows neither cites a source nor turns round to answer after all ("..., but orders arrive in 3 days").
"""

from __future__ import annotations

import re
from functools import lru_cache

_HEAD = 400
"""Characters in which a refusal must show; declining words further down are a remark inside an answer."""

_HINTS = (
    "无法", "不能", "没法", "难以", "不了", "没有", "没找", "未", "不清楚", "不知道", "不了解", "不太",
    "暂无", "无相关", "查不", "找不", "检索不", "不足", "超出", "不在", "不属于", "不包含", "不便", "拒绝",
    "缺乏", "不支持", "不确定", "抱歉", "帮不", "查无", "不懂", "不是很", "不大",
    "没写", "没说", "没讲", "没提", "没学", "没这", "没那", "缺少",
    "n't", "not", "no ", "unable", "cannot", "outside", "beyond", "insufficient", "unanswerable", "sorry",
    "lack", "unavailable", "n/a", "unknown",
)  # fmt: skip
_ASK = "回答|作答|解答|答复|回复"
_SOURCE = (
    "知识库|资料|文档|文件|文本|文章|文中|上下文|背景|材料|段落|来源|检索结果|搜索结果|参考内容|"
    "给定内容|提供的内容|已知信息|"
    "给定的?信息|提供的信息|上述信息|现有信息|数据库"
)
_NO = "没有|未能|并未|并没有|尚未|暂未|未|没|不|无|中无|并不"
_TELL = (
    "提到|提及|提供|说明|找到|查到|检索到|包含|涉及|记载|收录|介绍|描述|给出|指出|明确|显示|相关|"
    "足够|关于|有关|包括|答案"
)
_CHINESE = (
    rf"(?:无法|不能|没法|没办法|难以|不便|未能)(?:(?!因为|如果)[^，。！？!?;；\n]){{0,12}}(?:{_ASK})",
    rf"(?:{_ASK})不了|答不上来|拒绝(?:{_ASK})|不予(?:{_ASK})",
    rf"(?:{_SOURCE})[^。！？!?\n]{{0,16}}?(?:{_NO})[^。，！？!?\n]{{0,8}}?(?:{_TELL})",
    r"(?:没有|没|未|未能|没能|暂未|并未)(?:能)?(?:(?:在|从)[^，。！？!?\n]{1,12}?(?:中|里|内))?(?:找到|检索到|查到|查询到|搜索到|搜到|查找到)",
    r"(?:找|查|检索|搜索|搜|查询)不到[^，。！？!?\n]{0,12}(?:信息|资料|内容|答案|记录|文档|数据|规定|说明)",
    r"(?:没有|无|暂无|缺乏|缺少|没)[^，。！？!?\n]{0,6}?(?:足够|充分|充足|相关|有关|对应|"
    r"更多)的?[^，。！？!?\n]{0,6}?"
    r"(?:信息|资料|内容|依据|证据|数据|文档|记录|答案|说明)",
    r"(?:暂无|查无|暂时没有|目前没有|暂没有)(?:相关|有关|对应|可用)?的?[^，。！？!?\n]{0,4}?"
    r"(?:信息|资料|内容|答案|数据|记录|结果)",
    r"(?:没有|没|无|缺少|缺乏)(?:这|那|该|此)(?:个|一)?(?:方面|类|部分|问题)的?[^，。！？!?\n]{0,4}?(?:信息|资料|内容|数据)",
    rf"(?:{_SOURCE})(?:中|里|内)?(?:都|也|并|还)?没(?:有)?(?:写|说|讲|提)",
    r"帮不(?:了|上|到)|还没(?:有)?学会",
    r"信息不足|资料不足|证据不足|不足以(?:回答|判断|确定|支持|得出)",
    r"我们?(?:暂时|目前|现在|也|还|真的|确实|并)*(?:不清楚|不太清楚|不知道|不太了解|不了解|不太确定|"
    r"不确定|不懂|不太懂|不大懂|不大清楚|不是很清楚|不是很了解)",
    r"(?:^|[，,。])(?:抱歉|对不起|不好意思|暂时|目前)?[，,]?(?:暂时|目前)?(?:不清楚|不知道|不太清楚|"
    r"暂不清楚)",
    r"超出[^，。！？!?\n]{0,4}(?:我|知识|回答|解答|能力|业务|服务|职责)[^，。！？!?\n]{0,6}(?:范围|能力|"
    r"范畴)",
    r"(?:不在|不属于)[^，。！？!?\n]{0,4}(?:我|知识库|回答|解答|业务|服务|职责|"
    r"客服)[^，。！？!?\n]{0,8}(?:范围|范畴|内)",
    r"(?:我|小助手|客服|本系统|助手|系统)(?:暂时|目前|现在|还|也|们)*(?:无法|不能|没法|没有办法|没办法|"
    r"不便)"
    r"(?:为您|为你|给您|给你|帮您|帮你|向您|对此|就此|直接|准确|确切|进一步)*"
    r"(?:提供|给出|预测|判断|确定|确认|得知|获知|知道|帮助|协助|处理|查询|查看|办理|满足|评价|评论|讨论|"
    r"透露|透漏|回应|做出|作出)",
    r"(?:抱歉|对不起|不好意思|遗憾)[^。！？!?\n]{0,12}(?:无法|不能|没法|没办法)"
    r"(?:为您|为你|给您|给你|帮您|帮你|向您|对此|直接|准确|确切)*(?:提供|给出|预测|判断|确定|帮助|协助|"
    r"查询|满足|评论|讨论)",
    r"根据[^。！？!?\n]{0,20}(?:无法|不能|难以|没法)(?:确定|判断|得知|得出|确认|推断|获知|知道)",
    r"(?:暂不|不)支持(?:回答|查询|咨询|解答|提供)(?:该|此|这|相关|问题)",
    rf"(?:该|此|这个?|您的|你的)?问题[^，。！？!?\n]{{0,4}}(?:无法|不能|没法)[^，。！？!?\n]{{0,4}}(?:{_ASK})",
)  # fmt: skip
_I = (
    r"(?:i|we|this assistant|the assistant)(?: am|'m| are|'re)?"
    r"(?: really| currently| also| just| still|'m afraid i)*"
)
_CANT = (
    r"(?:can't|cannot|can not|couldn't|could not|am unable to|'m unable to|are unable to|was unable to|"
    r"unable to)"
)
_DOCS = (
    r"(?:context|documents?|passages?|knowledge base|text|sources?|articles?|materials?|information|"
    r"excerpts?|"
    r"references?|search results?|snippets?|data|evidence|content|paragraphs?|transcripts?|conversation)"
)
_NEG = r"(?:do not|don't|does not|doesn't|did not|didn't|is not|isn't|are not|aren't|never)"
_ENGLISH = (
    r"\bi (?:really |honestly |simply |just )?(?:don't|do not) (?:know|have (?:any |enough |that |the |"
    r"specific |sufficient "
    r"|access |information|an answer|a (?:specific |clear |definite )?answer|details|data|relevant))",
    r"\b(?:we|i) (?:currently )?(?:don't|do not) have (?:any |enough |"
    r"sufficient )?(?:\w+ ){0,2}(?:information|details|data)",
    rf"\b{_I} ?(?:'m |am |are )?(?:not sure|not certain|not aware|not able to (?:answer|find|provide|"
    rf"help|determine|locate))",
    rf"\b{_I} ?{_CANT} (?:\w+ ){{0,2}}?(?:answer|provide|help|assist|find|locate|determine|confirm|"
    rf"respond|verify|say|tell|"
    r"discuss|offer|predict)",
    r"\bunable to (?:\w+ )?(?:answer|find|provide|determine|locate|assist|help)",
    r"\b(?:cannot|can't|could not|couldn't) be (?:answered|determined|found)",
    r"\b(?:could not|couldn't|cannot|can't|did not|didn't|was unable to) find (?:any |the |an? |that |"
    r"enough |specific "
    r"|relevant )*(?:\w+ )?(?:information|info|answers?|documents?|mention|details?|results?|data|"
    r"reference|match)",
    r"\b(?:there is|there's|there are|there was|i have|i found|found|contains?|provides?|with) no "
    r"(?:\w+ ){0,3}?(?:information|info|mention|answers?|details?|data|documents?|reference|evidence|"
    r"indication|record)",
    r"(?:^|[.!,;:] ?)no (?:\w+ ){0,2}?(?:information|info|mention|answers?|details?|data|documents?|"
    r"results?|records?)"
    r"(?: (?:is|was|are|were|that|which|on|about|for|regarding))?(?: \w+)? ?(?:found|available|provided|"
    r"given|about|on|for|in|$)",
    rf"\b(?:not|never|isn't|aren't|wasn't|n't) (?:\w+ly )?(?:been )?(?:mentioned|specified|provided|"
    rf"stated|covered|included|found|available|"
    rf"discussed|addressed|given|contained|described|answered|listed|explained)(?: \w+){{0,3}}? (?:in|"
    rf"by|within|from) (?:\w+ ){{0,3}}?{_DOCS}",
    rf"\b{_DOCS}(?: \w+){{0,5}}? {_NEG} (?:\w+ly |directly |seem to |appear to )*(?:mention|contain|"
    rf"provide|include|specify|say|state|"
    r"cover|have|address|discuss|give|indicate|answer|offer|describe|list|explain|mentioned|provided|"
    r"clear|enough|sufficient)",
    r"\b(?:not enough|insufficient|not sufficient|lack of|lacks?|no sufficient|isn't enough|"
    r"is not enough) (?:\w+ )?"
    r"(?:information|context|details?|data|evidence)",
    r"\b(?:outside|beyond|out of) (?:of )?(?:my|the|our) (?:\w+ )?(?:scope|knowledge|expertise|"
    r"capabilit|abilit)",
    r"\bunanswerable\b|\bno answer\b|\bcan't help (?:you )?with\b|\bcannot help (?:you )?with\b|"
    r"\bcan't assist with\b",
    r"^\W*(?:n/a|unknown)\W*$|^\W*(?:can't|cannot|can not) (?:answer|say|tell)\b",
    r"\bi have no (?:idea|clue|knowledge)\b",
    rf"\b{_DOCS} (?:has|have|had) (?:no|nothing)\b",
    r"(?:^|[.!,;:] ?)(?:the |this |that |such |requested |relevant )*(?:information|answer|details?|data)"
    r"(?: is| are| was| were)?(?: currently)? (?:not (?:available|found|known|provided)|unavailable)\W*$",
    r"\banswer (?:is|was)(?: not|n't) (?:in|within|among|part of) ",
    r"\bnot possible (?:for (?:me|us) )?to (?:answer|determine|say|tell|provide|give)",
    r"(?:isn't|is not|not) (?:something|a (?:question|topic)) (?:that )?(?:i|we) (?:can|could|am able to|"
    r"'m able to|are able to) (?:help|assist|answer|comment|speak|discuss)",
    r"\b(?:bot|assistant|ai|model)\b[^.!?\n]{0,20} (?:can't|cannot|can not|unable to|not able to) "
    r"(?:\w+ ){0,2}?(?:answer|provide|help|assist|give|offer|predict|discuss)",
    r"\banswer (?:is|was) (?:not|n't) (?:\w+ )?(?:present|found|available|there|given|provided)",
    r"\b(?:question|query) (?:cannot|can't|could not) be\b|\bnot answerable\b",
)  # fmt: skip
_SENTENCE = re.compile(r"[^。！？!?\n;；.]+(?:\.(?=\S)[^。！？!?\n;；.]*)*[。！？!?\n;；.]*")
_FILLER = re.compile(
    r"\W*(?:(?:您好|你好|亲|尊敬的\w{0,4}|hello|hi|hey|dear \w+|抱歉|很抱歉|非常抱歉|十分抱歉|对不起|"
    r"不好意思|sorry|"
    r"i'm sorry|i am sorry|i apologi[sz]e|my apologies|apologies|unfortunately|很?遗憾)\W*)+"
    r"(?:给您(?:带来)?(?:的)?不便\W*|for (?:the|any) (?:inconvenience|confusion)\W*|there\W*|"
    r"about that\W*|to hear that\W*)?"
    r"|\W*(?:感谢|谢谢|thank|thanks|great question|good question|that's a (?:great|good)|很高兴|欢迎|"
    r"我是\w{0,12}助手|"
    r"i understand|i see\b|我理解|我明白)[^。！？!?\n.]*\W*"
)
_OFFER = re.compile(
    r"请?(?:您|你)?(?:可以|可|尝试|直接|及时)*(?:联系|咨询|拨打|转接?人工|人工|提供更多|提供订单|"
    r"换(?:个|一种)|重新|描述|补充|稍后|"
    r"访问|查看官|参考官|告诉我|随时)|为您转|帮您转|转人工|转接|如果(?:您|你)?(?:还|有|能|愿意|需要|"
    r"可以)|如有|如需|建议(?:您|你)?|"
    r"希望|还有(?:其他|什么)|欢迎|感谢|谢谢|祝您|"
    r"\b(?:please|could you|can you|would you|if you|let me know|feel free|contact|you (?:can|may|might|"
    r"could) (?:want to |also |try )*"
    r"(?:contact|check|consult|visit|reach|refer|ask|find|look|search)|i (?:recommend|suggest|"
    r"'d recommend|would recommend|"
    r"can help|'d be happy)|happy to|however,? if|for more|you should (?:contact|check|consult)|try )"
)
_TURN = re.compile(r"但是?|不过|然而|可是|只是|\bbut\b|\bhowever\b|\bthat said\b|\bnevertheless\b|\bstill,")
_CITES = re.compile(r"[\[［【]\s*[SsＳ]?[0-9０-９]+")
_CONCEDES = re.compile(r"\W*(?:although|though|while|even though|虽然|尽管|虽说)")
_SUPPOSES = re.compile(r"\W*(?:如果|若|要是|一旦|假如|当您?|(?:if|when|in case|unless)\b)[^,，]*")
_WHEN = re.compile(r"[^，,。；;]{0,12}(?:时|时候|的话)[，,]")
_ASKS = re.compile(r"[^，,]*[？?]\W*")
_A_CLAUSE = 12
_OPENING = 60
_REST = 1200
_AT_LENGTH = 150
"""Letters (a Chinese character counts for three) from which on what follows is an answer after all."""


# Characters of the forms above as they are written in Taiwan and Hong Kong, one for one.
_TRADITIONAL = str.maketrans(
    "無沒還這個問題訊資庫範圍服務檢關內對們為從據數說明確證遺會給幫詢應處辦記錄載夠暫請聯難於來過條檔該時尋"
    "協業稱業閱讀圖書館體實際現況經驗職責權檢場計點單貨電話號碼總線見覽顯試觀評價論討論絡繫麼嗎與並們",
    "无没还这个问题讯资库范围服务检关内对们为从据数说明确证遗会给帮询应处办记录载够暂请联难于来过条档该时寻"
    "协业称业阅读图书馆体实际现况经验职责权检场计点单货电话号码总线见览显试观评价论讨论络系么吗与并们",
)
_IS_TRADITIONAL = re.compile(f"[{''.join(map(chr, _TRADITIONAL))}]")
# Words that are others there; of the same length, so that places in the text stay.
_OTHER_WORDS = (("资讯", "信息"), ("资料库", "知识库"))


def _simplified(text: str) -> str:
    """The text, case-folded, in the characters and words that the forms are written in."""
    text = text.casefold().replace("\u2019", "'")
    # Translating takes longer than all the rest, and most texts need none.
    if text.isascii() or not _IS_TRADITIONAL.search(text):
        return text
    text = text.translate(_TRADITIONAL)
    for there, here in _OTHER_WORDS:
        text = text.replace(there, here)
    return text


@lru_cache(maxsize=8)
def _declining(phrases: tuple[str, ...], builtin: bool) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """One pattern of all forms, and words of which each match holds one."""
    own = tuple(_simplified(phrase) for phrase in phrases if phrase.strip())
    forms = (*map(re.escape, own), *(_CHINESE + _ENGLISH if builtin else ()))
    return re.compile("|".join(forms) or r"(?!)"), (*own, *(_HINTS if builtin else ()))


def is_refusal(answer: str, phrases: tuple[str, ...], builtin: bool = True) -> bool:
    """Does the answer decline?

    Args:
        answer: the answer's text; a blank one declines.
        phrases: fallback phrases of the settings.
        builtin: also know the common forms.
    """
    if not answer or not answer.strip():
        return True
    head = answer[:_HEAD]
    pattern, hints = _declining(phrases, builtin)
    for match in _SENTENCE.finditer(head):
        sentence = _simplified(match.group()).strip()
        if not sentence:
            continue
        # Most sentences hold none of the words that every form has, which is quick to see.
        declines = pattern.search(sentence) if any(hint in sentence for hint in hints) else None
        if declines is None:
            if _FILLER.fullmatch(sentence):
                continue
            return False
        if _ASKS.fullmatch(sentence[declines.end() :]):
            # Somebody's question, said again.
            continue
        if _WHEN.match(sentence, declines.end()):
            return False
        if _CONCEDES.match(sentence) or _SUPPOSES.fullmatch(sentence[: declines.start()]):
            return False
        said = _TURN.split(sentence[: declines.start()])
        if len(said) > 1 and len(said[0]) >= _A_CLAUSE and not _FILLER.fullmatch(said[0]):
            return False
        below = answer[match.end() : match.end() + _REST]
        return not _answers_after_all(sentence[declines.end() :], _simplified(below), pattern)
    return False


def _answers_after_all(behind: str, below: str, pattern: re.Pattern[str]) -> bool:
    """Does what follows the declining words cite a source, turn round and say something, or go on at length?

    Args:
        behind: the rest of the declining sentence.
        below: the sentences after it.
    """
    if _CITES.search(behind) or _CITES.search(below):
        return True
    told = 0
    for sentence in (behind, *(match.group() for match in _SENTENCE.finditer(below))):
        turn = _TURN.search(sentence)
        clause = sentence[turn.end() :] if turn else sentence
        clause = clause.strip(" \n,，。.*")
        if _OFFER.search(clause[:_OPENING]) or pattern.search(clause) or _FILLER.fullmatch(clause):
            continue
        if turn and len(clause) >= _A_CLAUSE // 2:
            return True
        if sentence is not behind:
            told += sum(1 if character.isascii() else 3 for character in clause)
    return told >= _AT_LENGTH
