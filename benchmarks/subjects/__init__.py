"""One module for each library, the same few functions in all: what is measured, and nothing else.

A subject runs in a process and an environment of its own; `subject.py` is the entry. Each has

    IMPORT            the statement that a user writes
    PACKAGE           the distribution whose version is reported
    define(functions) register plain functions as tools
    wire(kit)         the definitions that go to a provider or a client, as JSON-ready values
    sync_call(kit)    a function of name and JSON text that answers without an event loop, or None
    async_call(kit)   a coroutine function of name and JSON text
    dynamic(schema, handler)  the same for one tool that is known by a raw JSON Schema only
    CONVERTERS        strict converters by dialect, where the library has some
"""
