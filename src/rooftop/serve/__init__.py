"""The store as a small web application, which only reads: ``rooftop serve``. See decision 0072."""
