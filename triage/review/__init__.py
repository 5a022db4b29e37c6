"""Human judgement, measured: samples and what they can claim, agreement of readers, estimates. Pure."""
