"""What goes on beside requests: checks, generations, measurements, models, watches."""
