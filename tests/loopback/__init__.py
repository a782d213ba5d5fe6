"""A local server that plays the providers for the tests, and refuses what they would refuse.

Its rules are written from the providers' documentation and measurements. They share no code with
`tool_core`, so that a mistake in the product does not hide itself here.
"""
