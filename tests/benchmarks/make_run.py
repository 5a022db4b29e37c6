"""A synthetic run of N bilingual cases of about 2 KB: `python tests/benchmarks/make_run.py OUT.jsonl N`."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

ZH = (
    "退款申请 在审核通过以后 会原路退回到付款账户 收货地址 只有在包裹发出之前 才可以修改 "
    "会员积分 每年年底清零 请在订单详情页 联系人工客服"
).split()
EN = (
    "a refund goes back to the card that paid the address may change until the parcel leaves the warehouse "
    "points expire at the end of the year ask a person when the account may have been taken over"
).split()
TOPICS = ["refund", "privacy", "account_security", "human_handoff", "shipping", "invoice", "points", "coupon"]
TYPES = ["synonym", "condition_change", "multi_turn", "boundary", "no_answer"]


def text(chooser: random.Random, chinese: bool, parts: int) -> str:
    """A text of `parts` phrases."""
    words = ZH if chinese else EN
    return ("，" if chinese else " ").join(chooser.choice(words) for _ in range(parts))


def record(number: int, chooser: random.Random) -> dict[str, object]:
    """One case: retrieval misses, low ranks, wrong refusals and missing citations all occur."""
    chinese = chooser.random() < 0.6
    answerable = chooser.random() < 0.84
    ids = [f"KB-{chooser.randrange(5000)}" for _ in range(5)]
    expected = [ids[min(4, int(chooser.expovariate(1.2)))] if chooser.random() < 0.9 else "KB-none"]
    answered = chooser.random() < (0.95 if answerable else 0.12)
    size = 10 if chinese else 26
    return {
        "id": f"C{number:06d}",
        "query": text(chooser, chinese, 3 if chinese else 9),
        "query_type": chooser.choice(TYPES),
        "topic": chooser.choice(TOPICS),
        "answerable": answerable,
        "expected_ids": expected if answerable else [],
        "retrieved": [
            {"id": key, "text": text(chooser, chinese, size), "score": round(chooser.random(), 3)}
            for key in ids
        ],
        "predicted_answerable": answered,
        "answer": (text(chooser, chinese, size) + "。[S1]") if answered else "抱歉，没有找到相关资料。",
        "citations": ["S1"] if answered and chooser.random() < 0.95 else [],
        "scores": {
            "faithfulness": chooser.choice([1, 3, 4, 5, 5, 5]),
            "answer_relevancy": chooser.choice([3, 4, 5]),
        },
        "latency_ms": chooser.randrange(200, 4000),
    }


def make(path: Path, cases: int, seed: int = 7, dataset: str = "synthetic") -> Path:
    """Write the run file; the same seed gives the same bytes."""
    chooser = random.Random(seed)
    header = {
        "id": f"{path.stem}",
        "created_at": "2026-11-01T10:00:00Z",
        "dataset": {"name": f"{dataset}-{cases}", "version": "1"},
        "kb_version": "kb1",
        "retrieval": {"top_k": 5},
        "k": 3,
    }
    with path.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"run": header}, ensure_ascii=False) + "\n")
        for number in range(cases):
            out.write(json.dumps(record(number, chooser), ensure_ascii=False) + "\n")
    return path


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
