"""A stand-in for every backend on loopback, with faults on request. Results are synthetic."""

from fanseek.sandbox.faults import Fault
from fanseek.sandbox.naming import fault, parse_fault, parse_latency
from fanseek.sandbox.server import Sandbox
from fanseek.sandbox.threaded import running

__all__ = ["Fault", "Sandbox", "fault", "parse_fault", "parse_latency", "running"]
