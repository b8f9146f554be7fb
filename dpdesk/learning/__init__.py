"""What can still be learnt after protection: learners trained on sanitized answers.

Everything here starts from true answers and repeats the sanitizing from a seed: a study for the
holder of the data, never a release.
"""
