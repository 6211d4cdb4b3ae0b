"""Compile, verify and measure kernels: one service, here as a child process or elsewhere beside CANN and an NPU.

``jobs/`` is the table of job kinds and the messages that travel, ``client/`` sends them and never raises for a runner's
failure, ``server/`` queues, caches and answers, and keeps the worker processes in which tool chains (``toolchains/``)
run, apart from the service's loop; ``execution/`` is what they run kernels with, whoever compiles.
"""
