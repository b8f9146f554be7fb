"""What a release tells the public, and what only its holder may see: two types, two files."""
