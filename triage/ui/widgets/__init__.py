"""What screens are made of; each gets its values and tells what a person did."""
