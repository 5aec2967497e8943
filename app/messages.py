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
    "not_a_gguf": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is not a GGUF model file. Nothing was changed. Choose a file that ends in .gguf, or"
        " download it again: a sign-in page may have been saved under this name.",
    ),
    "file_empty": QT_TRANSLATE_NOOP(
        "messages", "{path} is empty. Nothing was changed. Download it again."
    ),
    "file_missing": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is not there any more. Your other models are untouched. If it is on a drive that"
        " was unplugged, plug it in again; otherwise download it again.",
    ),
    "file_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "{path} cannot be read: {reason}. Nothing was changed. Check that you may open it, or copy"
        " it to another folder.",
    ),
    "file_truncated": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is cut short: it has {have} bytes and needs at least {need}. Nothing was changed."
        " Resume or repeat its download.",
    ),
    "header_lies": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is damaged: it claims {claimed} for {what}, and {limit} is the most that can be"
        " true. It was not opened. Download it again, from a source you trust.",
    ),
    "header_damaged": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is damaged ({what}). It was not opened. Download it again.",
    ),
    "gguf_version_unsupported": QT_TRANSLATE_NOOP(
        "messages",
        "{path} has GGUF version {version}, or the wrong byte order; versions 2 and 3 can be read."
        " Nothing was changed. Choose a newer conversion of this model.",
    ),
    "tensor_type_unknown": QT_TRANSLATE_NOOP(
        "messages",
        "{path} uses a number format (number {type}) that this version of the app does not know."
        " Nothing was changed. Choose another quantisation, or update the app.",
    ),
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
