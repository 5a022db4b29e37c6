"""What an answer says of its sources: the markers in its text, and the documents they stand for."""
