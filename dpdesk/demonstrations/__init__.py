"""Guided demonstrations for workshops: steps, the numbers behind them and what they draw; no Qt."""
