"""What travels between a runner and its clients, and what kinds of jobs there are."""
