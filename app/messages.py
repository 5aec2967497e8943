"""Every sentence that an error code becomes: what happened, what is safe, what to do next.

English source text without Qt, so that the window and the command line say the same. The window looks each sentence up in its
translations (context "messages"); `QT_TRANSLATE_NOOP` marks them for the extraction tool. One block per room. Imports only errors.
"""

from __future__ import annotations

from app.errors import AppError


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name the extraction tool looks for
    """Mark a text for translation and return it as it is."""
    del context
    return text


SENTENCES: dict[str, str] = {
    # engine
    "not_loaded": QT_TRANSLATE_NOOP(
        "messages", "No model is loaded. Open one first; your text is kept."
    ),
    # hub: gguf, pairing, memory
    # hub: download, library, catalog
    # storage, settings, session
    # monitor, measure
    # worker, client
}

UNKNOWN = QT_TRANSLATE_NOOP(
    "messages",
    "Something unexpected happened ({code}). Your conversation is saved. The log has the details.",
)


def sentence(code: str, detail: dict[str, str | int | float | None]) -> str:
    """The English sentence of an error code with its values filled in; never raises."""
    template = SENTENCES.get(code)
    if template is None:
        return UNKNOWN.format(code=code)
    return fill(template, detail)


def fill(template: str, detail: dict[str, str | int | float | None]) -> str:
    """Fill named placeholders; a value that is missing is shown as its name, so nothing is lost."""

    class Values(dict[str, object]):
        def __missing__(self, key: str) -> str:
            return "{" + key + "}"

    return template.format_map(Values(detail))


def describe(error: AppError) -> str:
    """The English sentence of an error."""
    return sentence(error.code, error.detail)
