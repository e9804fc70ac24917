"""Small random instances of every domain, made for a judge to know all about them."""
