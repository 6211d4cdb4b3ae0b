"""Compile, verify and measure kernels: one service, here as a child process or elsewhere beside CANN and an NPU.

``messages`` travel, ``client`` sends them and never raises for a runner's failure, ``service`` queues, caches and
answers, ``pool`` keeps the worker processes in which tool chains (``toolchains/``) run, apart from the service's loop.
"""
