"""What level editors have in common: objects, properties, floors."""
