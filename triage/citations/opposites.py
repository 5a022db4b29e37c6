"""Words that exclude each other: pairs of opposites, and things of a kind (metrics.md section 6, "scope")."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BEFORE_WORDS = "发货|付款|支付|签收|收货|使用|拆封|开封|审核|激活|注销|到期|出库|取消|登录"
"|下单|购买|安装|退货|退款|提交|生效|开票|入住|出发|起飞|送达"
_PAIRS = (
    (rf"已经?(?={_BEFORE_WORDS}|拆|开|用)", rf"(?:未|尚未|还没有?|没有?)(?={_BEFORE_WORDS}|拆|开|用)"),
    (rf"(?:{_BEFORE_WORDS})(?:之|以)?前", rf"(?:{_BEFORE_WORDS})(?:之|以)?后"),
    (r"国内|境内|大陆|本地", r"海外|国外|境外|国际|跨境|外地"),
    (
        r"卖家|商家|我方|平台承担|商户",
        r"买家|消费者|买方|顾客|收[件货]人|(?:用户|客户|您)(?:自行|需|来)?(?:承担"
        r"|支付|负担|自理|负责)",
    ),
    (r"全额|全部退|全款", r"部分退|部分金额|一半|按比例|部分费用|部分款"),
    (r"个人(?!信息|资料|隐私|中心|数据)", r"企业|公司|单位|团体"),
    (r"线上|在线|网上", r"线下|门店|柜台|实体店|营业厅"),
    (r"免费|免收|不收费|包邮|免运费", r"收费|付费|另收|加收|需支付|自费|到付"),
    (r"开启|打开|启用|开通", r"关闭|停用|禁用"),
    (r"提前", r"推迟|延后|延迟|延期"),
    (r"增加|提高|上调|上升|增长", r"减少|降低|下调|下降"),
    (r"首次|第一次|首单", r"再次|第二次|每次|二次(?!销售)"),
    (r"新用户|新客|新会员", r"老用户|老客|老会员"),
    (r"(?<!非)会员", r"非会员|普通用户"),
    (r"自动", r"手动|人工|主动|自行"),
    (r"电子", r"纸质"),
    (r"现货", r"预售|定制"),
    (r"公开", r"保密|不公开|私密"),
    (r"成功", r"失败"),
    (r"(?<![无失])有效", r"无效|失效|作废"),
    (r"升级", r"降级"),
    (r"工作日(?!内|以内)", r"周末|节假日|非工作日|休息日"),
    (r"每[天日]", r"每月|每周|每年|每季度?"),
    (r"每月|每个月", r"每年|每周|每季度?"),
    (r"每周", r"每年"),
    (r"单笔|每笔|每次", r"累计|合计|总计|总额|每[日天]|每月"),
    (r"临时", r"永久"),
    (r"以上", r"以下"),
    (r"原路|原支付|原付款|原来的", r"其他(?:账户|账号|方式|银行)|任意账户|新(?:账户|账号)|指定账户|余额"),
    (r"可选|选填|自愿", r"必填|必选|强制|必须|必需"),
    (r"父母|监护人", r"本人"),
    (r"\brequired\b|\bmandatory\b|\bmust\b", r"\boptional\b|\bvoluntary\b"),
    (r"\bdomestic\b", r"\binternational\b|\boverseas\b|\babroad\b|\bforeign\b"),
    (
        r"\bbuyers?\b|\bcustomers? (?:pays?|covers?|bears?)\b|\byou (?:pay"
        r"|cover)\b",
        r"\bsellers?\b|\bmerchants?\b|\bwe (?:pay|cover)\b",
    ),
    (r"\bfull(?:y)?\b", r"\bpartial(?:ly)?\b|\bhalf\b"),
    (r"\bbefore\b|\bprior to\b", r"\bafter\b|\bfollowing\b|\bonce\b"),
    (
        r"\bpersonal\b|\bindividuals?\b|\bconsumer\b",
        r"\bbusiness(?! days?| hours?)\b|\bcorporate\b|\benterprise\b|\bcompan(?:y"
        r"|ies)\b",
    ),
    (
        r"\bfree\b|\bno (?:fee|charge|cost)s?\b|\bat no\b",
        r"\bpaid\b|\bfor a fee\b|\bcharged\b|\bat your (?:own )?(?:cost"
        r"|expense)\b",
    ),
    (r"\bonline\b", r"\bin[- ]store\b|\boffline\b|\bin person\b"),
    (
        r"\bnew (?=users?|customers?|members?|clients?)",
        r"\b(?:existing|returning) (?=users?|customers?|members?|clients?)",
    ),
    (r"\bmonth(?:ly)?\b(?!s)", r"\bannual(?:ly)?\b|\byearly\b|\bper year\b|\bevery year\b"),
    (r"\bdaily\b|\bper day\b|\bevery day\b", r"\bweekly\b|\bmonthly\b|\bper week\b|\bper month\b"),
    (r"\bweekdays?\b", r"\bweekends?\b"),
    (r"\binclud(?:e|es|ed|ing)\b", r"\bexclud(?:e|es|ed|ing)\b"),
    (r"\benabled?s?\b|\bturn(?:ed)? on\b", r"\bdisabled?s?\b|\bturn(?:ed)? off\b"),
    (r"\ballow(?:s|ed)?\b|\bpermitted\b", r"\bprohibit(?:s|ed)?\b|\bforbidden\b|\bbanned\b"),
    (r"\bautomatic(?:ally)?\b", r"\bmanual(?:ly)?\b"),
    (r"\btemporar(?:y|ily)\b", r"\bpermanent(?:ly)?\b"),
    (r"\bpublic(?:ly)?\b", r"\bprivate(?:ly)?\b|\bconfidential\b"),
    (r"\bunopened\b|\bunused\b", r"\bopened\b|\bused\b"),
    (
        r"\bincreas(?:e|es|ed|ing)\b|\braised?\b",
        r"\bdecreas(?:e|es|ed|ing)\b|\breduc(?:e|es|ed|ing)\b|\blower(?:s"
        r"|ed)?\b",
    ),
    (r"\bminimum\b|\bat least\b", r"\bmaximum\b|\bat most\b|\bup to\b"),
    (r"\bsucceed(?:s|ed)?\b|\bsuccessful(?:ly)?\b", r"\bfail(?:s|ed|ure)?\b|\bunsuccessful(?:ly)?\b"),
    (r"\badmin(?:istrator)?s?\b|\bowners?\b", r"\bmembers?\b|\bguests?\b|\bviewers?\b"),
    (r"\bmost\b|\bmajority\b", r"\bfew\b|\bminority\b"),
)  # fmt: skip
PAIRS = tuple((re.compile(one), re.compile(other)) for one, other in _PAIRS)
"""Opposites: where a sentence has one and the aligned clause the other, they say different things."""
_SPELT = re.compile(r"[a-z]{2,}")


class _Any:
    """Finds whether a text may have a word of a group, cheaply: few groups have one in most texts."""

    __slots__ = ("_chinese", "_latin", "_word")

    def __init__(self, patterns: Iterable[str]) -> None:
        written = "|".join(patterns)
        self._word = re.compile(written)
        self._latin = _SPELT.search(written) is not None
        self._chinese = frozenset(char for char in written if not char.isascii())

    def may_be_in(self, text: str, letters: frozenset[str], latin: bool) -> bool:
        """Whether a word may be in `text`: lower case, of the characters `letters`, some of them `latin`."""
        if not (latin and self._latin) and self._chinese.isdisjoint(letters):
            return False
        return self._word.search(text) is not None


_PAIRS_IN = tuple(map(_Any, _PAIRS))


def _present(groups: tuple[_Any, ...], text: str) -> list[int]:
    letters = frozenset(text)
    latin = _SPELT.search(text) is not None
    return [at for at, group in enumerate(groups) if group.may_be_in(text, letters, latin)]


def pairs_in(text: str) -> list[int]:
    """Which of `PAIRS` a text (lower case) has a word of: their indices, in order."""
    return _present(_PAIRS_IN, text)


STATES = 2
"""The first so many pairs name states by a word beside them: 已, 未, 前, 后."""

_GROUPS = (
    (
        r"短信", r"邮件|邮箱|电子邮件", r"电话|致电|拨打|热线", r"微信", r"站内信", r"支付宝", r"人脸",
        r"指纹", r"传真",
    ),
    (
        r"支付宝", r"微信", r"银行卡|储蓄卡", r"信用卡", r"现金", r"余额", r"积分(?!兑)", r"优惠券"
        r"|代金券",
        r"花呗",
    ),
    (r"普通会员|普通用户", r"银卡", r"金卡|黄金", r"白金|铂金", r"钻石|黑卡"),
    (r"周[一二三四五六日]至周五|工作日", r"周末|双休", r"节假日"),
    (r"顺丰", r"中通", r"圆通", r"京东", r"邮政|ems"),
    (r"身份证", r"护照", r"驾驶?证", r"营业执照", r"户口"),
    (
        r"\bemails?\b|\be-mail\b", r"\bsms\b|\btext messages?\b", r"\bphone\b"
        r"|\bcall(?:s|ed|ing)?\b", r"\bpost\b|\bmail\b(?!box)",
        r"\blive chat\b|\bchat\b",
    ),
    (
        r"\bcredit cards?\b", r"\bdebit cards?\b", r"\bpaypal\b", r"\bgift cards?\b"
        r"|\bstore credit\b", r"\bbank transfer\b|\bwire\b",
        r"\bcash\b",
    ),
    (
        r"\bbasic\b", r"\bpremium\b", r"\bstandard\b", r"\bexpress\b", r"\bgold\b", r"\bsilver\b", r"\bpro\b",
        r"\benterprise\b",
    ),
    (r"普通发票|普票", r"专用发票|专票"),
    (r"红色", r"蓝色", r"绿色", r"黑色", r"白色"),
)  # fmt: skip
GROUPS = tuple(tuple(re.compile(member) for member in group) for group in _GROUPS)
"""Things of a kind, of which a source that names one does not mean another."""
_GROUPS_IN = tuple(map(_Any, _GROUPS))


def groups_in(text: str) -> list[int]:
    """Which of `GROUPS` a text (lower case) has a word of: their indices, in order."""
    return _present(_GROUPS_IN, text)
