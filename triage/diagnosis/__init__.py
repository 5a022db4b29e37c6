"""Why a case fails, by rule: one suggestion with its evidence, which a person confirms or overrules."""

from triage.diagnosis.diagnose import diagnose, examine
from triage.diagnosis.examiner import Examiner
from triage.diagnosis.explain import explain
from triage.diagnosis.layers import layer_words
from triage.diagnosis.reasons import REASONS

__all__ = ["REASONS", "Examiner", "diagnose", "examine", "explain", "layer_words"]
