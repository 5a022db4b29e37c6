"""The parts of a case's detail, each a function that writes its section on a page."""
