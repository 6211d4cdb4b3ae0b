"""Where jobs run: worker processes, sandbox, devices, cases."""
