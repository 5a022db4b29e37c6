"""Whether a sentence states something (metrics.md section 6): no greeting, offer, question or heading."""

from __future__ import annotations

import re

_CLAUSE = re.compile(r"[,;.!。！~、]+|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_CLOSERS = "”’\"'」』)] *_\t\n"
_QUESTION = re.compile(r"[?？][!！]*\Z")
_HEADING = re.compile(r"\*\*[^*\n]{1,60}\*\*:?\Z|[^\n]*:\Z", re.DOTALL)
# A clause that is wholly one of these says nothing of the matter; each is short, so that facts are not lost.
_POLITE = re.compile(
    r"(?:尊敬的|亲爱的|各位)?(?:您好|你好|亲|嗨|早上好|下午好|晚上好|客户|用户|顾客|会员|买家)[呀哦哈啊~]?"
    r"|(?:非常|十分|很|多谢|再次|首先|真诚)?(?:感谢|谢谢|多谢)(?:您|你)?(?:的)?(?:.{0,12}(?:咨询"
    r"|提问|来信|反馈|理解|支持"
    r"|耐心(?:等待)?|关注|联系|信任|配合|问题|等待|使用|购买))?"
    r"|(?:非常|很|十分|实在|真的)?(?:抱歉|不好意思|对不起|遗憾)(?:给您?(?:带来|造成).{0,8})?"
    r"|给?您?(?:带来|造成)(?:的|了)?(?:.{0,4})?不便"
    r"|(?:我)?(?:非常|很)(?:高兴|乐意|荣幸)(?:能?为您.{0,6}|.{0,8}帮.{0,6})"
    r"|(?:衷心)?(?:希望|祝愿|祝|愿)(?:以上|这些|这|我的|上述)?(?:信息|回答|内容"
    r"|解答|回复|说明)?(?:能够?|可以|会|对)?.{0,4}"
    r"(?:帮到|帮助|有帮助|有用|有所帮助|愉快|顺利|解决|满意)(?:您|你|到您)?(?:的问题)?(?:生活|购物|使用)?"
    r"|祝您?.{0,8}"
    r"|好的|好|当然(?:可以)?|没问题|可以的|明白了?|收到|是的|不客气|没关系|别担心"
    r"|请放心|放心|欢迎(?:光临|咨询|您).{0,6}|再见"
    r"|(?:如果|如|若|倘若|要是)?(?:您|你)?(?:还|仍)?(?:有|需要?)(?:任何|其他"
    r"|其它|更多|别的|什么|进一步|疑)?.{0,4}"
    r"(?:问题|疑问|需要|需求|帮助|疑惑|不清楚|不明白)(?:的话|的)?"
    r"|(?:请|欢迎|也?可以?|您可以?|都可以?|可)?(?:您)?(?:随时|尽管|再)?(?:联系"
    r"|咨询|告诉|告知|询问|问|找)(?:我们?|小助手)(?:吧)?"
    r"|(?:请|欢迎)(?:您)?(?:随时|尽管)(?:联系|咨询|告诉|告知|询问|提问).{0,8}"
    r"|(?:我们?|小助手)?(?:也)?(?:会|可以|能|将|很乐意|愿意)?(?:尽力|继续|随时"
    r"|竭诚)?(?:为|帮|协助)(?:您|你)(?:.{0,14})"
    r"(?:解答|服务|查询|处理|转接人工客服|转接人工|转人工|解决|帮助|提供帮助"
    r"|看看|查一下|核实|跟进|转接)(?:的)?(?:吧|哦)?"
    r"|需要(?:的话)?我?(?:可以)?帮(?:您|你).{0,10}"
    r"|(?:以下|下面)是?(?:为您|对|关于|相关).{0,16}|(?:具体|详情|说明|答案|回答|解答)?如下"
    r"|(?:现有|目前|当前|提供的)?的?(?:资料|知识库|文档)(?:里|中)?(?:没有|未)(?:找到"
    r"|提到|说明|包含)?.{0,10}(?:信息|内容|说明)?"
)
_POLITE_ENGLISH = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: there| [a-z]+)?"
    r"|(?:many )?(?:thanks|thank you)(?: (?:so|very) much)?(?: (?:for|again)\b.{0,60})?"
    r"|(?:i'?m |we'?re |i am |we are )?(?:very |so |really |terribly )?(?:sorry"
    r"|afraid so)(?: (?:to hear|for|about)\b.{0,60})?"
    r"|(?:we |i )?apologi[sz]e(?: for\b.{0,50})?|my apologies.{0,30}"
    r"|sure(?: thing)?|of course|certainly|absolutely|great question|good question"
    r"|no problem|you'?re welcome|yes|no|okay|ok|got it"
    r"|(?:i |we )?(?:really )?hope (?:this|that|it|you)\b.{0,60}"
    r"|(?:please )?(?:let (?:me|us) know|feel free|do ?n[o']?t hesitate|reach out|contact us|ask)\b.{0,100}"
    r"|(?:if|should) you (?:have|need|would like|want|'d like)\b.{0,80}"
    r"|(?:i|we)(?:'m| am|'re| are|'d| would|'ll| will| can)?(?: be)? (?:happy"
    r"|glad|here|pleased|able|delighted) to (?:help|assist|answer)\b.{0,60}"
    r"|(?:i|we) (?:can|could|would|will|'ll) (?:also )?(?:help|assist|transfer you"
    r"|connect you|look into)\b.{0,60}"
    r"|would you like\b.{0,80}|have a (?:great|nice|good|wonderful)\b.{0,20}"
    r"|best regards|kind regards|sincerely"
    r"|(?:here (?:is|are|'s)|below (?:is|are))\b.{0,60}(?:summary|answer|overview|steps|details)\b.{0,30}",
    re.IGNORECASE,
)


def is_factual(text: str, *, heading: bool = False) -> bool:
    """Whether a sentence (after NFKC, without markers) states something that a source could support.

    Args:
        text: the sentence.
        heading: it is marked as a heading in the text.
    """
    bare = text.strip().strip(_CLOSERS)
    if heading or not bare or _QUESTION.search(bare) or _HEADING.match(text.strip()):
        return False
    if len(bare) > 200:
        return True
    clauses = [clause.strip() for clause in _CLAUSE.split(bare)]
    return not all(_POLITE.fullmatch(each) or _POLITE_ENGLISH.fullmatch(each) for each in clauses if each)
