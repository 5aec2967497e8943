"""Every sentence that an error code becomes: what happened, what is safe, what to do next.

English source text without Qt, so that the window and the command line say the same. The window
looks each sentence up in its translations (context "messages"); `QT_TRANSLATE_NOOP` marks them for
the extraction tool. One block per room. Imports only errors.
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
    "load_cancelled": QT_TRANSLATE_NOOP(
        "messages",
        "Loading was stopped. Nothing is loaded now; your conversations are untouched.",
    ),
    "model_not_loaded": QT_TRANSLATE_NOOP(
        "messages",
        "{path} could not be loaded: {reason}. Nothing else was changed. Check that the file is"
        " complete, or choose another model.",
    ),
    "draft_not_loaded": QT_TRANSLATE_NOOP(
        "messages",
        "The draft {path} could not be loaded: {reason}. The target works without it. Choose "
        "another draft, or download this one again.",
    ),
    "not_a_text_model": QT_TRANSLATE_NOOP(
        "messages",
        "{path} does not write text by itself (architecture {architecture}). Nothing was "
        "changed. Choose a chat model.",
    ),
    "draft_not_a_text_model": QT_TRANSLATE_NOOP(
        "messages",
        "{path} does not write text by itself (architecture {architecture}), so it cannot draft. "
        "The target works without it. Choose a small chat model as the draft.",
    ),
    "model_damaged": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is damaged: its weights give no usable numbers. Nothing is loaded now; your"
        " conversations are untouched. Download it again, or choose another model.",
    ),
    "draft_damaged": QT_TRANSLATE_NOOP(
        "messages",
        "The draft {path} is damaged: its weights give no usable numbers. The target works without"
        " it. Download the draft again, or choose another.",
    ),
    "context_not_allocated": QT_TRANSLATE_NOOP(
        "messages",
        "There is not enough memory for a context of {n_ctx} tokens ({reason}). Nothing is "
        "loaded now; your conversations are untouched. Choose a shorter context or a smaller "
        "model, or close other programs.",
    ),
    "no_memory_for_context": QT_TRANSLATE_NOOP(
        "messages",
        "A context of {n_ctx} tokens needs about {need_mb} MB of memory, and {free_mb} MB are free."
        " Nothing is loaded now; your conversations are untouched. Choose a shorter context or a"
        " smaller model, or close other programs.",
    ),
    "no_cpu_module": QT_TRANSLATE_NOOP(
        "messages",
        "None of the {count} engine parts in {folder} runs on this processor. Your conversations"
        " are safe. Install the app made for this kind of computer, or set it up once more here.",
    ),
    "context_limited_by_model": QT_TRANSLATE_NOOP(
        "messages",
        "This model reads at most {n_ctx} tokens, so the context is {n_ctx} instead of {asked}.",
    ),
    "context_shrunk": QT_TRANSLATE_NOOP(
        "messages", "Memory is short, so the context is {n_ctx} tokens instead of {asked}."
    ),
    "draft_dropped": QT_TRANSLATE_NOOP(
        "messages",
        "Memory is short, so the draft was left out. Answers are the same, only slower to come.",
    ),
    "no_memory_for_draft": QT_TRANSLATE_NOOP(
        "messages",
        "There is no room for the draft beside the target, even with a context of {n_ctx} "
        "tokens. The target works without it. Choose a smaller draft, or close other programs.",
    ),
    "layers_moved_to_cpu": QT_TRANSLATE_NOOP(
        "messages",
        "The graphics memory is short, so {layers} of {of} layers are on the GPU and the rest "
        "on the CPU. Answers are the same, only slower to come.",
    ),
    "target_cannot_rewind": QT_TRANSLATE_NOOP(
        "messages",
        "This target ({architecture}) cannot take back tokens it has read, so nothing can be "
        "drafted for it. It answers one token at a time.",
    ),
    "draft_cannot_rewind": QT_TRANSLATE_NOOP(
        "messages",
        "This draft ({architecture}) cannot take back tokens it has read, so it cannot draft. "
        "The target works without it. Choose another draft.",
    ),
    "no_draft_for_request": QT_TRANSLATE_NOOP(
        "messages",
        "Drafting with a model was asked for, but no draft is loaded. Nothing was lost. Load a "
        "draft, or choose lookup, auto or off.",
    ),
    "drafting_loses_here": QT_TRANSLATE_NOOP(
        "messages",
        "With this pair, guessing ahead with the draft is slower on this computer than plain"
        " answering, so it is left off, but for a look now and then. Answers are the same.",
    ),
    "template_missing": QT_TRANSLATE_NOOP(
        "messages",
        "This model brings no chat template, so the {format} format is used. If its answers look"
        " odd, choose a model made for chat.",
    ),
    "template_unusable": QT_TRANSLATE_NOOP(
        "messages",
        "This model's own chat template cannot be used ({reason}), so the {format} format is used"
        " instead. If its answers look odd, download a newer version of the model.",
    ),
    "prompt_not_tokenized": QT_TRANSLATE_NOOP(
        "messages",
        "This text of {characters} characters could not be split into tokens. It is kept. "
        "Shorten it and send it again.",
    ),
    "prompt_too_long": QT_TRANSLATE_NOOP(
        "messages",
        "The conversation is {prompt_tokens} tokens long and {fits} fit. Nothing was lost. "
        "Shorten your message, start a new conversation, or load the model with a longer "
        "context.",
    ),
    "prompt_empty": QT_TRANSLATE_NOOP(
        "messages", "There is nothing to answer: the prompt is empty."
    ),
    "prompt_not_text": QT_TRANSLATE_NOOP(
        "messages",
        "What came on standard input is no text in UTF-8 ({reason}). Nothing was sent. Save it as"
        " UTF-8 and try again.",
    ),
    "prompt_file_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "The prompt file {path} could not be read: {reason}. Check its name and that it is a "
        "text in UTF-8.",
    ),
    "system_prompt_needs_template": QT_TRANSLATE_NOOP(
        "messages",
        "A system prompt needs the chat template, which --raw switches off. Leave out one of "
        "the two.",
    ),
    "all_busy": QT_TRANSLATE_NOOP(
        "messages",
        "{n_parallel} answers are already being written, as many as were allowed when the model"
        " was loaded. Wait for one to end.",
    ),
    "context_full": QT_TRANSLATE_NOOP(
        "messages",
        "The memory for all running answers together is full ({n_ctx} tokens). What was written"
        " is kept. Start a new conversation, or load the model with a longer context.",
    ),
    "decode_failed": QT_TRANSLATE_NOOP(
        "messages",
        "The model could not evaluate its input (status {status}). What was written is kept. "
        "Try again; if it happens again, load the model anew.",
    ),
    "memory_not_rewound": QT_TRANSLATE_NOOP(
        "messages",
        "The {model} could not take back tokens it has read, so this answer was ended. What was"
        " written is kept. Switch speculation off for this model.",
    ),
    "depth_out_of_range": QT_TRANSLATE_NOOP(
        "messages", "{depth} drafted tokens were asked for; 0 to {most} are possible."
    ),
    "measuring_needs_quiet": QT_TRANSLATE_NOOP(
        "messages",
        "Measuring needs a quiet engine, and an answer is being written. Wait for it or stop "
        "it, then measure.",
    ),
    "template_failed": QT_TRANSLATE_NOOP(
        "messages",
        "The chat template of {model} refuses this conversation: {reason}. Your text is kept."
        " Edit the last message, start a new conversation, or open another model.",
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
    "pair_target_not_a_model": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is not a language model by itself ({role}). Nothing was loaded. Choose the "
        "model file beside it as the target.",
    ),
    "pair_draft_not_a_model": QT_TRANSLATE_NOOP(
        "messages",
        "{path} cannot draft by itself ({role}): it is a part of another model. Nothing was "
        "loaded. Choose a small model of the target's family as the draft.",
    ),
    "pair_target_vocabulary_unknown": QT_TRANSLATE_NOOP(
        "messages",
        '{path} has no vocabulary that this version of the app knows ("{model}"). Nothing was'
        " loaded. Choose another file of this model, or update the app.",
    ),
    "pair_draft_vocabulary_unknown": QT_TRANSLATE_NOOP(
        "messages",
        '{path} has no vocabulary that this version of the app knows ("{model}"), so it '
        "cannot draft. The target works without it. Choose another draft.",
    ),
    "pair_vocabulary_kind": QT_TRANSLATE_NOOP(
        "messages",
        "These two cut text into tokens in different ways: the target's vocabulary is "
        "{target}, the draft's {draft}. The target works without a draft. Choose a draft of "
        "the target's own family.",
    ),
    "pair_bos_only_target": QT_TRANSLATE_NOOP(
        "messages",
        "The target starts every text with a special token (number {id}) and the draft does "
        "not. The target works without a draft. Choose another file of the draft, or a draft "
        "of the target's own family.",
    ),
    "pair_bos_only_draft": QT_TRANSLATE_NOOP(
        "messages",
        "The draft starts every text with a special token (number {id}) and the target does "
        "not. The target works without a draft. Choose another file of the draft, or a draft "
        "of the target's own family.",
    ),
    "pair_bos_ids": QT_TRANSLATE_NOOP(
        "messages",
        "The target starts every text with token {target}, the draft with token {draft}. The "
        "target works without a draft. Choose a draft of the target's own family.",
    ),
    "pair_eos_only_target": QT_TRANSLATE_NOOP(
        "messages",
        "The target ends every text with a special token (number {id}) and the draft does "
        "not. The target works without a draft. Choose another file of the draft, or a draft "
        "of the target's own family.",
    ),
    "pair_eos_only_draft": QT_TRANSLATE_NOOP(
        "messages",
        "The draft ends every text with a special token (number {id}) and the target does "
        "not. The target works without a draft. Choose another file of the draft, or a draft "
        "of the target's own family.",
    ),
    "pair_eos_ids": QT_TRANSLATE_NOOP(
        "messages",
        "The target ends every text with token {target}, the draft with token {draft}. The "
        "target works without a draft. Choose a draft of the target's own family.",
    ),
    "pair_vocabulary_size": QT_TRANSLATE_NOOP(
        "messages",
        "The target has {target} tokens and the draft {draft}; they may differ by {limit} at "
        "most. The target works without a draft. Choose a draft of the target's own family.",
    ),
    "pair_token_text": QT_TRANSLATE_NOOP(
        "messages",
        "Token {token} is '{target}' in the target and '{draft}' in the draft, so the draft "
        "would guess other words than it means. The target works without a draft. Choose a "
        "draft of the target's own family.",
    ),
    "pair_draft_not_smaller": QT_TRANSLATE_NOOP(
        "messages",
        "The draft is not smaller than the target ({draft} against {target} million parameters),"
        " so it could not be faster. The target works without a draft. Choose a draft of about a"
        " tenth of the target.",
    ),
    "pair_draft_file_not_smaller": QT_TRANSLATE_NOOP(
        "messages",
        "The draft's file is not smaller than the target's ({draft} against {target} MB), so it"
        " could not be faster. The target works without a draft. Choose a draft of about a tenth"
        " of the target.",
    ),
    "pair_draft_cannot_rewind": QT_TRANSLATE_NOOP(
        "messages",
        "{path} cannot take back words it has read (architecture {model}), and a draft must "
        "do so at every wrong guess. The target works without a draft. Choose a draft of "
        "another architecture.",
    ),
    "hint_draft_heavy": QT_TRANSLATE_NOOP(
        "messages",
        "The draft has {percent} % of the target's size: usually not worth it. About a tenth "
        "is best.",
    ),
    "hint_draft_large": QT_TRANSLATE_NOOP(
        "messages",
        "The draft has {percent} % of the target's size and may not help. About a tenth is best.",
    ),
    "hint_target_experts": QT_TRANSLATE_NOOP(
        "messages",
        "The target uses a few of its experts for each token (MoE), so it is fast already and"
        " checking guesses is dear: usually not worth it.",
    ),
    "hint_target_small": QT_TRANSLATE_NOOP(
        "messages",
        "The target has {billions} billion parameters and is fast already: usually not worth it.",
    ),
    "hint_draft_coarse": QT_TRANSLATE_NOOP(
        "messages",
        "The draft is stored very coarsely ({quantisation}); its guesses are accepted less "
        "often. Q4_K_M or Q8_0 is better.",
    ),
    "hint_draft_unquantised": QT_TRANSLATE_NOOP(
        "messages",
        "The draft is stored in full ({quantisation}); Q8_0 guesses as well and is faster.",
    ),
    "hint_target_cannot_rewind": QT_TRANSLATE_NOOP(
        "messages",
        "The target cannot take back words it has read (architecture {model}), so it will "
        "probably run without a draft.",
    ),
    "hint_target_snapshots": QT_TRANSLATE_NOOP(
        "messages",
        "The target keeps snapshots of its state to take back wrong guesses (architecture "
        "{model}); this needs more memory.",
    ),
    "estimate_unknown_architecture": QT_TRANSLATE_NOOP(
        "messages",
        "The estimate is rough: this version of the app does not know how this kind of model "
        "uses memory. After loading, the measured sizes are shown.",
    ),
    "estimate_experts": QT_TRANSLATE_NOOP(
        "messages",
        "The working memory of a model with experts (MoE) is estimated roughly; its weights "
        "and conversation memory are exact.",
    ),
    "estimate_without_tensors": QT_TRANSLATE_NOOP(
        "messages",
        "The estimate is rough: only the size of the file is known, not what lies in it.",
    ),
    "estimate_split_file": QT_TRANSLATE_NOOP(
        "messages",
        "The estimate is too low: this is one part of a model in several files, and the sizes"
        " of the others are not known.",
    ),
    # hub: download, library, catalog
    "no_connection": QT_TRANSLATE_NOOP(
        "messages",
        "{host} cannot be reached. What arrived is kept. Check the network connection, then "
        "resume.",
    ),
    "dns_failed": QT_TRANSLATE_NOOP(
        "messages",
        "The name {host} cannot be found. What arrived is kept. Check the network connection, "
        "then resume.",
    ),
    "proxy_refused": QT_TRANSLATE_NOOP(
        "messages",
        "The proxy {proxy} does not let us through to {host}. What arrived is kept. Check the "
        "proxy in the system's network settings, then resume.",
    ),
    "certificate_refused": QT_TRANSLATE_NOOP(
        "messages",
        "{host} could not prove who it is, so nothing was sent to it. On company networks the "
        "proxy's certificate may be missing on this computer: ask who runs the network.",
    ),
    "address_wrong": QT_TRANSLATE_NOOP(
        "messages",
        "The address of the Hub is not a valid one ({host}). Nothing was changed. Correct it in "
        "HF_ENDPOINT.",
    ),
    "connection_lost": QT_TRANSLATE_NOOP(
        "messages",
        "The connection broke off several times. What arrived is kept. Resume to go on from there.",
    ),
    "stalled": QT_TRANSLATE_NOOP(
        "messages", "{host} has stopped sending. What arrived is kept. Resume to go on from there."
    ),
    "server_error": QT_TRANSLATE_NOOP(
        "messages",
        "{host} has trouble of its own (error {status}). What arrived is kept. Try again in a "
        "few minutes.",
    ),
    "rate_limited": QT_TRANSLATE_NOOP(
        "messages",
        "{host} asks for a pause because of too many requests. What arrived is kept. Try again "
        "later; with an access token the limit is higher.",
    ),
    "storage_refused": QT_TRANSLATE_NOOP(
        "messages",
        "The storage behind the Hub refuses to send {name} (error {status}). What arrived is "
        "kept. Try again in a few minutes.",
    ),
    "needs_token": QT_TRANSLATE_NOOP(
        "messages",
        "{repo} does not exist, or only some people may see it. If you are one of them, paste "
        "your access token under Models; else check the name.",
    ),
    "token_missing": QT_TRANSLATE_NOOP(
        "messages",
        "No access token is set. Create one on the Hub's website and paste it under Models.",
    ),
    "token_rejected": QT_TRANSLATE_NOOP(
        "messages",
        "{host} does not accept the access token: it may have been revoked. What arrived is "
        "kept. Paste a new one under Models.",
    ),
    "token_malformed": QT_TRANSLATE_NOOP(
        "messages",
        "This cannot be an access token. Nothing was saved. Copy the whole token from the Hub's "
        "website and paste it again.",
    ),
    "gated_needs_token": QT_TRANSLATE_NOOP(
        "messages",
        "The makers of {repo} want you to accept their licence first. Open {page}, accept it, "
        "then paste your access token under Models and resume.",
    ),
    "gated": QT_TRANSLATE_NOOP(
        "messages",
        "The makers of {repo} want you to accept their licence first. Open {page}, accept it "
        "with the account of your access token, then resume.",
    ),
    "forbidden": QT_TRANSLATE_NOOP(
        "messages",
        "{host} does not allow this download. Your access token may lack the right to read "
        "{repo}: check it on the Hub's website.",
    ),
    "request_refused": QT_TRANSLATE_NOOP(
        "messages",
        "{host} refused the request (error {status}). Nothing was changed. Try again later.",
    ),
    "repo_not_found": QT_TRANSLATE_NOOP(
        "messages",
        "There is no repository {repo}, or your access token may not see it. Nothing was "
        "changed. Check the name.",
    ),
    "repo_name_wrong": QT_TRANSLATE_NOOP(
        "messages",
        "{repo} is not a repository's name. Nothing was changed. Names look like owner/model.",
    ),
    "file_not_in_repo": QT_TRANSLATE_NOOP(
        "messages",
        "{name} is not in {repo}. It may have been renamed: look at {page} and choose another "
        "file.",
    ),
    "revision_not_found": QT_TRANSLATE_NOOP(
        "messages",
        "This version of {repo} is no longer there. What arrived is kept, but cannot be "
        "completed: remove the download and start it again.",
    ),
    "no_gguf": QT_TRANSLATE_NOOP(
        "messages",
        "{repo} holds no model in the GGUF format, which this app needs. Nothing was changed. "
        "Search for the same name with GGUF.",
    ),
    "range_refused": QT_TRANSLATE_NOOP(
        "messages",
        "The server cannot send {name} in pieces, and breaks off when it sends it whole. Try "
        "again, or choose another source.",
    ),
    "size_mismatch": QT_TRANSLATE_NOOP(
        "messages",
        "The server says that {name} has {have} bytes, but it should have {need}. What arrived "
        "was removed. Start again later or choose another source.",
    ),
    "html_received": QT_TRANSLATE_NOOP(
        "messages",
        "{host} sent a web page instead of {name}. This network may want you to log in first: "
        "open any page in the browser, then resume.",
    ),
    "not_a_model_file": QT_TRANSLATE_NOOP(
        "messages",
        "What the server sends as {name} is not a model. It was not kept. Choose another file.",
    ),
    "answer_unreadable": QT_TRANSLATE_NOOP(
        "messages", "The answer of {host} makes no sense. What arrived is kept. Try again later."
    ),
    "not_a_hub": QT_TRANSLATE_NOOP(
        "messages",
        "{host} does not answer as a model Hub does. Nothing was changed. Check "
        "HF_ENDPOINT, or whether this network wants you to log in first.",
    ),
    "redirect_refused": QT_TRANSLATE_NOOP(
        "messages",
        "{host} sends us somewhere we will not go. Nothing was sent there. Try again later or "
        "choose another source.",
    ),
    "offline_mode": QT_TRANSLATE_NOOP(
        "messages",
        "The environment says not to use the network (HF_HUB_OFFLINE). Nothing was changed. "
        "Remove that setting to download.",
    ),
    "file_changed": QT_TRANSLATE_NOOP(
        "messages",
        "{name} changed on the server while it was being downloaded. What had arrived was "
        "removed. Start again to get the new version.",
    ),
    "hash_mismatch": QT_TRANSLATE_NOOP(
        "messages",
        "{name} arrived damaged: its checksum is wrong. It was removed. Start the download "
        "again; if it happens twice, choose another source.",
    ),
    "download_running": QT_TRANSLATE_NOOP(
        "messages",
        "{name} is already being downloaded by another window. Nothing was changed. Wait for "
        "it, or stop it there.",
    ),
    "download_paused": QT_TRANSLATE_NOOP(
        "messages", "The download is paused. What arrived is kept. Resume it whenever you like."
    ),
    "download_cancelled": QT_TRANSLATE_NOOP(
        "messages", "The download was cancelled and what had arrived removed."
    ),
    "download_broke": QT_TRANSLATE_NOOP(
        "messages",
        "The download stopped for a reason we did not foresee ({reason}). What arrived is kept. "
        "Resume to try again; the log has the details.",
    ),
    "disk_full": QT_TRANSLATE_NOOP(
        "messages",
        "There is not enough room in {folder}: {need} are needed, {have} are free. Nothing was "
        "downloaded. Free some space or choose another folder.",
    ),
    "disk_filled": QT_TRANSLATE_NOOP(
        "messages",
        "The disk became full while {name} was being written. What arrived is kept. Free some "
        "space, then resume.",
    ),
    "file_too_large": QT_TRANSLATE_NOOP(
        "messages",
        "The disk of {folder} cannot hold a file as large as {name}: it is probably formatted "
        "as FAT32. Choose a folder on another disk.",
    ),
    "folder_not_writable": QT_TRANSLATE_NOOP(
        "messages",
        "{folder} cannot be written to ({reason}). What arrived is kept. Change its permissions "
        "or choose another folder.",
    ),
    "folder_gone": QT_TRANSLATE_NOOP(
        "messages",
        "{folder} is not there any more. Connect its disk again, or choose another folder.",
    ),
    "disk_failed": QT_TRANSLATE_NOOP(
        "messages",
        "Writing {name} failed: {reason}. What arrived is kept. Check the disk, then resume.",
    ),
    "file_in_use": QT_TRANSLATE_NOOP(
        "messages",
        "{name} is complete but cannot replace the older file, which is in use. Unload that "
        "model, then resume.",
    ),
    "unsafe_name": QT_TRANSLATE_NOOP(
        "messages",
        "The name {name} could be harmful on this computer, so nothing was downloaded. Choose "
        "another source.",
    ),
    "catalog_damaged": QT_TRANSLATE_NOOP(
        "messages",
        "The list of recommended pairs cannot be read ({where}). Your models are untouched. "
        "Install the app again.",
    ),
    "not_ours_to_delete": QT_TRANSLATE_NOOP(
        "messages", "{path} belongs to another program, so it was not deleted. Delete it there."
    ),
    "delete_failed": QT_TRANSLATE_NOOP(
        "messages",
        "{path} could not be deleted: {reason}. Unload the model if it is in use, then try again.",
    ),
    "not_a_model": QT_TRANSLATE_NOOP(
        "messages", "{path} is not a GGUF model. Nothing was changed. Choose another file."
    ),
    "parts_missing": QT_TRANSLATE_NOOP(
        "messages",
        "This model was split, and parts of it are missing: {parts}. Nothing was changed. Put "
        "them beside {path} and try again.",
    ),
    "import_exists": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is already there. Nothing was changed. Delete the old one first, or rename the "
        "new one.",
    ),
    "link_impossible": QT_TRANSLATE_NOOP(
        "messages",
        "A link to {path} cannot be made here. Nothing was changed. Copy the file instead.",
    ),
    "import_failed": QT_TRANSLATE_NOOP(
        "messages",
        "{path} could not be brought in: {reason}. The original is untouched. Check the folder "
        "and try again.",
    ),
    "recommend_quick": QT_TRANSLATE_NOOP(
        "messages",
        "{title} needs {need} of the {have} free ({device}) and should answer faster than you "
        "read.",
    ),
    "recommend_short_context": QT_TRANSLATE_NOOP(
        "messages",
        "{title} needs {need} of the {have} free ({device}), with a context of {context} "
        "tokens; a longer one does not fit.",
    ),
    "recommend_slow": QT_TRANSLATE_NOOP(
        "messages",
        "{title} needs {need} of the {have} free ({device}). It is the quickest that fits; "
        "expect about {pace} words a second or less.",
    ),
    "recommend_none_fits": QT_TRANSLATE_NOOP(
        "messages",
        "No pair fits: the smallest, {title}, needs {need}, and {have} are free. Close other "
        "programs and look again, or use a model you have.",
    ),
    "recommend_nothing_listed": QT_TRANSLATE_NOOP(
        "messages", "No pair is listed for this purpose. Search for a model instead."
    ),
    "recommend_smaller": QT_TRANSLATE_NOOP(
        "messages", "{title} is the next smaller choice and saves {saved} of disk and memory."
    ),
    "recommend_larger_does_not_fit": QT_TRANSLATE_NOOP(
        "messages", "{title} is the next larger choice; it needs {need}, {short} more than is free."
    ),
    "recommend_larger_is_slow": QT_TRANSLATE_NOOP(
        "messages",
        "{title} is the next larger choice; it fits, but is likely to answer more slowly than "
        "you read (about {pace} tokens a second before drafting).",
    ),
    "recommend_larger_gains_less": QT_TRANSLATE_NOOP(
        "messages", "{title} is the next larger choice; it fits, but gains less from its draft."
    ),
    # models: what fits, and the commands and the dialog that bring them
    "pair_too_large": QT_TRANSLATE_NOOP(
        "messages",
        "This needs about {need} of memory, and {free} are free: it may not load, or be very slow."
        " Your conversations are safe. Choose a smaller model, or close other programs first.",
    ),
    "pair_partly_fits": QT_TRANSLATE_NOOP(
        "messages",
        "This needs about {need} of memory, and {free} are free on the graphics card. The rest goes"
        " to the processor, which is slower. A smaller model would answer faster.",
    ),
    "context_reduced_to_fit": QT_TRANSLATE_NOOP(
        "messages",
        "A context of {asked} tokens would leave too little memory free, so it is {n_ctx}. Close"
        " other programs or choose a smaller model for a longer one.",
    ),
    "file_not_named": QT_TRANSLATE_NOOP(
        "messages",
        "{repo} holds several models. Nothing was downloaded. Add one of these to its name:"
        " {names}.",
    ),
    "models_broke": QT_TRANSLATE_NOOP(
        "messages",
        "This did not work for a reason we did not foresee ({reason}). Your models are untouched."
        " Try again; the log has the details.",
    ),
    "model_name_wrong": QT_TRANSLATE_NOOP(
        "messages",
        "{name} is neither a pair of the list, a file on this computer nor a name such as"
        " owner/model/file.gguf. Nothing was changed. See the list with: models recommend.",
    ),
    # storage, settings, session
    "disk_full_saving": QT_TRANSLATE_NOOP(
        "messages",
        "The disk is full, so the newest text could not be saved. It is kept in memory and saved as"
        " soon as there is room: free some space on the disk of {path} before closing the app.",
    ),
    "database_damaged": QT_TRANSLATE_NOOP(
        "messages",
        "The file with your conversations is damaged: {path}. Nothing was overwritten. Restart the"
        " app: it keeps the damaged file under another name and begins a new one.",
    ),
    "database_set_aside": QT_TRANSLATE_NOOP(
        "messages",
        "The file with your conversations was damaged. It is kept as {path}, unchanged, and a new"
        " one was begun. If you have a backup, put it back while the app is closed.",
    ),
    "database_newer": QT_TRANSLATE_NOOP(
        "messages",
        "Your conversations in {path} were saved by a newer Slipstream (format {found}, this one"
        " knows {known}). They were left as they are. Install the newer version to open them.",
    ),
    "database_busy": QT_TRANSLATE_NOOP(
        "messages",
        "Another program is using the file with your conversations: {path}. Nothing was changed."
        " Close the other Slipstream window, or wait a moment, and try again.",
    ),
    "database_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "The file with your conversations cannot be used: {path} ({reason}). Nothing was changed."
        " Check that the folder is there and that you may write to it.",
    ),
    "conversation_gone": QT_TRANSLATE_NOOP(
        "messages", "This conversation was deleted, perhaps in another window."
    ),
    "import_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "This file is not a conversation that this version of Slipstream can read. Nothing was"
        " imported. Choose a JSON file that Slipstream exported.",
    ),
    "compare_needs_question": QT_TRANSLATE_NOOP(
        "messages",
        "There is nothing to compare yet. Write a message first, or ask something.",
    ),
    "attach_too_large": QT_TRANSLATE_NOOP(
        "messages",
        "{path} has {have} MB, and at most {most} MB of text go along with a message. Nothing was"
        " attached. Attach a part of it.",
    ),
    "attach_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "{path} cannot be read ({reason}). Nothing was attached. Check the file's permissions.",
    ),
    "attach_not_text": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is no text file. Nothing was attached. The model reads text only: save it as text"
        " first.",
    ),
    "export_unsaved": QT_TRANSLATE_NOOP(
        "messages",
        "The conversation could not be written to {path} ({reason}). It is still here, unchanged."
        " Choose another folder, or free some space.",
    ),
    "import_not_opened": QT_TRANSLATE_NOOP(
        "messages",
        "{path} cannot be read ({reason}). Nothing was imported. Check the file's permissions.",
    ),
    "import_too_large": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is larger than any conversation ({have} MB). Nothing was imported. Choose a JSON"
        " file that Slipstream exported.",
    ),
    "folder_unusable": QT_TRANSLATE_NOOP(
        "messages",
        "The folder {path} cannot be used ({reason}). Check that it may be written to, and that no"
        " file of that name is in its place.",
    ),
    "settings_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "The settings in {path} cannot be read ({reason}). They were left as they are. Check the"
        " file's permissions; until then the usual settings are used.",
    ),
    "settings_unsaved": QT_TRANSLATE_NOOP(
        "messages",
        "The settings could not be saved to {path} ({reason}). The old ones are still there. Free"
        " some space or check the folder's permissions, then change a setting again.",
    ),
    "empty_message": QT_TRANSLATE_NOOP("messages", "There is nothing to send yet. Type a message."),
    "nothing_to_answer": QT_TRANSLATE_NOOP(
        "messages", "There is no question to answer here. Type a message first."
    ),
    "context_trimmed": QT_TRANSLATE_NOOP(
        "messages",
        "This conversation is longer than the context, so its oldest messages are no longer given"
        " to the model. They stay here. Open the model with a longer context to use all of them.",
    ),
    "answer_running": QT_TRANSLATE_NOOP(
        "messages",
        "An answer is still being written here. Stop it or wait for its end; your text is kept.",
    ),
    "engine_busy": QT_TRANSLATE_NOOP(
        "messages",
        "The model is busy with an answer in another conversation. Wait for its end or stop it"
        " there; your text is kept.",
    ),
    "engine_stopped": QT_TRANSLATE_NOOP(
        "messages",
        "The engine is not running. Restart it and send again; your text is kept.",
    ),
    "engine_crashed": QT_TRANSLATE_NOOP(
        "messages",
        "The engine stopped unexpectedly ({reason}). Your conversation is saved, with what was"
        " written of the answer. Restart the engine to go on; the log has the details.",
    ),
    # monitor, measure
    "probe_failed": QT_TRANSLATE_NOOP(
        "messages",
        "This computer does not let the app read its memory use. Answers are not affected; the log"
        " has the details.",
    ),
    "arm_unknown": QT_TRANSLATE_NOOP(
        "messages",
        '"{arm}" is not a way to produce tokens. Nothing was measured. Use off, auto, lookup,'
        " draft, or draft:N with N from 1 to 15.",
    ),
    "workload_unknown": QT_TRANSLATE_NOOP(
        "messages",
        'There is no workload "{name}". Nothing was measured. Choose from: {known}.',
    ),
    "bench_needs_draft": QT_TRANSLATE_NOOP(
        "messages",
        'The arm "{arm}" needs a draft model, and none is loaded. Nothing was measured. Load a'
        " pair, or leave this arm out.",
    ),
    "bench_needs_parallel": QT_TRANSLATE_NOOP(
        "messages",
        "The pair was loaded for {loaded} answers at once and {wanted} are to be measured."
        " Nothing was measured. Load it for {wanted}.",
    ),
    "bench_differs": QT_TRANSLATE_NOOP(
        "messages",
        "What should be equal is not: {what} was {first} and is now {second}. A comparison"
        " would mean nothing, so it was stopped; what was measured before is kept.",
    ),
    "bench_arm_not_in_force": QT_TRANSLATE_NOOP(
        "messages",
        'The arm "{arm}" was asked for and the engine used "{found}". A comparison would mean'
        " nothing, so it was stopped; what was measured before is kept. Leave this arm out.",
    ),
    "bench_engine_keeps_crashing": QT_TRANSLATE_NOOP(
        "messages",
        "The engine crashed {times} times in a row at {condition}, arm {arm} ({reason}). What"
        " was measured before is kept. Leave this arm or workload out and go on with --resume;"
        " the engine's log has the details.",
    ),
    "results_exist": QT_TRANSLATE_NOOP(
        "messages",
        "{path} holds a benchmark already. It was left as it is. Go on with it (--resume), or"
        " choose another folder.",
    ),
    "results_unwritable": QT_TRANSLATE_NOOP(
        "messages",
        "The results cannot be written to {path} ({reason}). What was written before is kept."
        " Free some space or check the folder's permissions, then go on with --resume.",
    ),
    "results_unreadable": QT_TRANSLATE_NOOP(
        "messages",
        "{path} cannot be read ({reason}). It was left as it is. Check that it is there and"
        " that you may open it.",
    ),
    "results_foreign": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is not a benchmark of Slipstream. It was left as it is. Choose another file or"
        " folder.",
    ),
    "results_newer": QT_TRANSLATE_NOOP(
        "messages",
        "{path} was written by another version of Slipstream (format {found}). It was left as"
        " it is. Open it with that version.",
    ),
    "results_damaged": QT_TRANSLATE_NOOP(
        "messages",
        "{path} is damaged in line {line}. It was left as it is. Measure again in another"
        " folder, or remove that line if you know what it was.",
    ),
    "results_differ": QT_TRANSLATE_NOOP(
        "messages",
        "The benchmark in this folder was made with something else: {what} was {first} and is"
        " {second}. It was left as it is. Restore that, or choose another folder.",
    ),
    "reports_not_comparable": QT_TRANSLATE_NOOP(
        "messages",
        "These two benchmarks cannot be compared: {what} is {first} in one and {second} in the"
        " other, and must be equal. Measure again with the same.",
    ),
    "profile_unsaved": QT_TRANSLATE_NOOP(
        "messages",
        "What was measured of this pair could not be saved to {path} ({reason}). Answers are"
        " not affected. Free some space or check the folder's permissions, then measure again.",
    ),
    "recipe_fixed_depth": QT_TRANSLATE_NOOP(
        "messages",
        "llama-server drafts a fixed number of tokens and has other acceptance rules, so its"
        " speed will differ from what is shown here.",
    ),
    "recipe_without_draft": QT_TRANSLATE_NOOP(
        "messages",
        "No draft is loaded, so this looks for repetitions in the text instead.",
    ),
    "recipe_layers_of_this_machine": QT_TRANSLATE_NOOP(
        "messages",
        "The number of layers on the graphics device is what fitted on this computer; another"
        " one may hold more.",
    ),
    "recipe_original_weights": QT_TRANSLATE_NOOP(
        "messages",
        "vLLM loads the original weights, which are larger and not the file measured here.",
    ),
    "recipe_name_repositories": QT_TRANSLATE_NOOP(
        "messages",
        "vLLM loads the original weights, not this file: put in the names of the repositories"
        " that the models were made from.",
    ),
    "advice_low_acceptance": QT_TRANSLATE_NOOP(
        "messages",
        "Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}."
        " Another draft of the target's family may guess better.",
    ),
    "advice_shorter": QT_TRANSLATE_NOOP(
        "messages",
        "Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}."
        " Drafting {best} at a time would be best here: by the measured costs {gain} % faster"
        " than without drafting.",
    ),
    "advice_switch_off": QT_TRANSLATE_NOOP(
        "messages",
        "Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}."
        " By the costs measured on this computer no depth pays at that rate: switch speculation"
        " off for this kind of text, or leave it on auto.",
    ),
    "advice_other_draft": QT_TRANSLATE_NOOP(
        "messages",
        "Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}."
        " {name} also fits this target and is larger, so it guesses better.",
    ),
    "advice_compute_bound": QT_TRANSLATE_NOOP(
        "messages",
        "This computer is compute-bound with this pair: checking {rows} tokens costs {ratio} ×"
        " checking one. Drafting {depth} at a time pays only above {percent} % acceptance.",
    ),
    "advice_compute_bound_never": QT_TRANSLATE_NOOP(
        "messages",
        "This computer is compute-bound with this pair: checking {rows} tokens costs {ratio} ×"
        " checking one. No acceptance makes drafting with a model pay; leave it off or use"
        " lookup.",
    ),
    "advice_headroom_short": QT_TRANSLATE_NOOP(
        "messages",
        "{free} MB of memory are free and {margin} MB should be. Any of the following helps.",
    ),
    "advice_drop_draft": QT_TRANSLATE_NOOP(
        "messages",
        "Without the draft model {freed} MB become free.",
    ),
    "advice_halve_context": QT_TRANSLATE_NOOP(
        "messages",
        "Half the context ({half} tokens instead of {context}) frees {freed} MB.",
    ),
    "advice_smaller_cache": QT_TRANSLATE_NOOP(
        "messages",
        "Keeping the conversation at 8 bits (q8_0) frees {freed} MB.",
    ),
    "advice_best_arm": QT_TRANSLATE_NOOP(
        "messages",
        "{workload}, {at_once} at a time: {arm} is fastest, {factor} × (95 % interval {low} to"
        " {high}, {requests} requests).",
    ),
    "advice_no_arm": QT_TRANSLATE_NOOP(
        "messages",
        "{workload}, {at_once} at a time: no way of drafting was shown to be faster than none.",
    ),
    "advice_gone_at_once": QT_TRANSLATE_NOOP(
        "messages",
        "{workload}: the gain of {arm} ({factor} × one at a time) is gone with {many} at once:"
        " {many_factor} ×, {finding}.",
    ),
    "energy_no_meter": QT_TRANSLATE_NOOP(
        "messages",
        "No energy meter of this computer can be read, so joules and cost are not available. "
        "Answers are not affected. Read the watts from a plug meter and enter them in the "
        "settings to have them anyway.",
    ),
    "energy_estimated": QT_TRANSLATE_NOOP(
        "messages",
        "This is an estimate: rated power ({watts} W) times the time the answer took.",
    ),
    "energy_too_short": QT_TRANSLATE_NOOP(
        "messages", "The answer was too short for its energy to be measured."
    ),
    "energy_started_late": QT_TRANSLATE_NOOP(
        "messages",
        "The energy meter was not ready in time for this answer. The next one is measured if "
        "the model stays loaded.",
    ),
    "energy_not_to_the_end": QT_TRANSLATE_NOOP(
        "messages",
        "The energy meter stopped answering before the answer ended, so its energy is not known.",
    ),
    "energy_gap": QT_TRANSLATE_NOOP(
        "messages",
        "The energy meter paused while the answer was written, so its energy is not known.",
    ),
    "energy_counter_stuck": QT_TRANSLATE_NOOP(
        "messages",
        "The energy counter of this device does not move, so the energy is not known.",
    ),
    "energy_counter_reset": QT_TRANSLATE_NOOP(
        "messages",
        "The energy counter was reset while the answer was written; that moment was filled in "
        "from the power drawn.",
    ),
    "energy_no_answer": QT_TRANSLATE_NOOP(
        "messages",
        "The energy meter did not answer in time, so the energy of this answer is not known.",
    ),
    "energy_shared": QT_TRANSLATE_NOOP(
        "messages",
        "Other answers were written at the same time; this is the answer's even share.",
    ),
    "idle_subtracted": QT_TRANSLATE_NOOP("messages", "Without what the computer draws when idle."),
    "idle_unknown": QT_TRANSLATE_NOOP(
        "messages", "The power when idle is not known, so it was not subtracted."
    ),
    "idle_above_task": QT_TRANSLATE_NOOP(
        "messages",
        "The power when idle was measured as high as the power of this answer, so it was not "
        "subtracted. Measure it again while nothing runs.",
    ),
    "nvidia_absent": QT_TRANSLATE_NOOP("messages", "No NVIDIA device was found."),
    "nvidia_no_driver": QT_TRANSLATE_NOOP(
        "messages",
        "NVIDIA: the driver is not installed. Install it to see memory, power and energy of "
        "the graphics device.",
    ),
    "nvidia_driver_not_loaded": QT_TRANSLATE_NOOP(
        "messages", "NVIDIA: the driver is installed but not running. Restart the computer."
    ),
    "nvidia_driver_changed": QT_TRANSLATE_NOOP(
        "messages",
        "NVIDIA: the driver was updated. Restart the computer to see memory, power and energy "
        "of the graphics device.",
    ),
    "nvidia_no_library": QT_TRANSLATE_NOOP(
        "messages",
        "NVIDIA: a part of this app is missing (nvidia-ml-py). Install the app once more.",
    ),
    "nvidia_no_device": QT_TRANSLATE_NOOP("messages", "NVIDIA: the driver sees no device."),
    "nvidia_no_meter": QT_TRANSLATE_NOOP(
        "messages", "NVIDIA: this device tells neither its energy nor its power."
    ),
    "nvidia_asleep": QT_TRANSLATE_NOOP(
        "messages",
        "NVIDIA: the graphics device is switched off to save power and was not woken.",
    ),
    "nvidia_failed": QT_TRANSLATE_NOOP(
        "messages", "NVIDIA: the device stopped answering ({reason})."
    ),
    "amd_absent": QT_TRANSLATE_NOOP("messages", "No AMD graphics device was found."),
    "amd_no_meter": QT_TRANSLATE_NOOP(
        "messages", "AMD: this device tells neither its energy nor its power."
    ),
    "amd_asleep": QT_TRANSLATE_NOOP(
        "messages", "AMD: the graphics device is switched off to save power and was not woken."
    ),
    "amd_failed": QT_TRANSLATE_NOOP("messages", "AMD: the device stopped answering ({reason})."),
    "apple_absent": QT_TRANSLATE_NOOP("messages", "This is not a Mac with Apple silicon."),
    "apple_no_library": QT_TRANSLATE_NOOP(
        "messages",
        "Apple silicon: a part of this app is missing (zeus-apple-silicon). Install the app "
        "once more.",
    ),
    "apple_incomplete": QT_TRANSLATE_NOOP(
        "messages",
        "Apple silicon: this chip does not report its energy in a form the app knows.",
    ),
    "apple_failed": QT_TRANSLATE_NOOP(
        "messages", "Apple silicon: the system's energy report failed ({reason})."
    ),
    "rapl_absent": QT_TRANSLATE_NOOP(
        "messages",
        "Processor: this system shows no energy counter, as is usual in a virtual machine.",
    ),
    "rapl_not_allowed": QT_TRANSLATE_NOOP(
        "messages", "Processor: only the administrator may read its energy counter ({path})."
    ),
    "rapl_failed": QT_TRANSLATE_NOOP(
        "messages", "Processor: its energy counter could not be read ({reason})."
    ),
    "wall_figures_swapped": QT_TRANSLATE_NOOP(
        "messages",
        "The watts when idle ({idle}) are not below the watts under load ({load}), so they "
        "are not used. They may be swapped: check them in the settings.",
    ),
    "wall_figures_unusable": QT_TRANSLATE_NOOP(
        "messages",
        "{watts} W cannot be what a plug meter showed, so it is not used. Check the figure in "
        "the settings.",
    ),
    "price_not_a_number": QT_TRANSLATE_NOOP(
        "messages",
        "“{text}” is not a price. Nothing was changed. Type a number such as 0.15 or 0,15.",
    ),
    "price_negative": QT_TRANSLATE_NOOP(
        "messages",
        "A price per kWh cannot be below zero ({text}). Nothing was changed. Type 0 if the "
        "energy costs nothing.",
    ),
    "compare_needs_speculation": QT_TRANSLATE_NOOP(
        "messages",
        "Comparing sets speculation against none, so it cannot be off. Nothing was measured."
        " Use --speculation auto, draft or lookup.",
    ),
    "concurrency_unclear": QT_TRANSLATE_NOOP(
        "messages",
        '"{text}" does not say how many answers to ask for at once. Nothing was measured. Give'
        " numbers from 1 to {most}, such as 1,4.",
    ),
    "resume_needs_folder": QT_TRANSLATE_NOOP(
        "messages",
        "To go on with a benchmark, say which: --resume needs --out with its folder. Nothing"
        " was measured.",
    ),
    "measure_stopped": QT_TRANSLATE_NOOP(
        "messages",
        "Measuring was stopped. What was measured until then is kept; a benchmark goes on from"
        " there with --resume.",
    ),
    # worker, client
    "engine_error": QT_TRANSLATE_NOOP(
        "messages",
        "The engine failed at this request ({reason}). What was written is kept and the models are"
        " still loaded. Try again; if it fails again, the engine's log has the details.",
    ),
    "engine_start_failed": QT_TRANSLATE_NOOP(
        "messages",
        "The engine could not start ({reason}). Your conversations are safe. Try again; if it fails"
        " again, install the app once more and look into the engine's log.",
    ),
    "engine_crashed_loading": QT_TRANSLATE_NOOP(
        "messages",
        "The engine stopped while loading ({reason}). Most likely a model file is damaged, or of a"
        " kind that this version of the app cannot read. Your conversations are safe. Choose"
        " another model, or download this one again; the log has the details.",
    ),
    "probably_out_of_memory": QT_TRANSLATE_NOOP(
        "messages",
        "The engine was ended, most likely because the computer ran out of memory ({reason}). Your"
        " conversation is saved. Close other programs, or choose a smaller model or context, then"
        " restart the engine.",
    ),
    "illegal_instruction": QT_TRANSLATE_NOOP(
        "messages",
        "The engine used an instruction this computer does not carry out (CPU module {cpu_module})."
        " Your conversation is saved. Restart the engine: it will then try a simpler module.",
    ),
    "illegal_instruction_retry": QT_TRANSLATE_NOOP(
        "messages",
        "The engine used an instruction this computer does not carry out (CPU module {cpu_module})."
        " Your conversation is saved. It is being started again with a simpler module, and that is"
        " remembered for this computer.",
    ),
    "protocol_mismatch": QT_TRANSLATE_NOOP(
        "messages",
        "The engine and the window belong to different versions of the app; it was probably updated"
        " while open. Your conversations are safe. Close the app and start it again.",
    ),
    "measure_cancelled": QT_TRANSLATE_NOOP(
        "messages", "The measurement was stopped. Nothing was changed. Start it again at any time."
    ),
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
