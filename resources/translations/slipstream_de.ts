<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AnswerView</name>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <source>Edit answer</source>
        <translation>Antwort bearbeiten</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>This answer was interrupted. What was written is kept; ask again to get all of it.</source>
        <translation>Diese Antwort wurde unterbrochen. Was geschrieben war, bleibt; fragen Sie noch einmal, um alles zu bekommen.</translation>
    </message>
    <message>
        <source>This question could not be answered. Ask again, or change it.</source>
        <translation>Diese Frage konnte nicht beantwortet werden. Fragen Sie noch einmal, oder ändern Sie sie.</translation>
    </message>
    <message>
        <source>The context is full, so the answer ends here. Start a new chat, or open the model with a longer context.</source>
        <translation>Der Kontext ist voll, darum endet die Antwort hier. Beginnen Sie einen neuen Chat, oder öffnen Sie das Modell mit längerem Kontext.</translation>
    </message>
</context>
<context>
    <name>AnswersPage</name>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Who guesses ahead</source>
        <translation>Wer vorausrät</translation>
    </message>
    <message>
        <source>Auto: whatever pays here</source>
        <translation>Auto: was sich hier lohnt</translation>
    </message>
    <message>
        <source>Draft: the draft model</source>
        <translation>Entwurf: das Entwurfsmodell</translation>
    </message>
    <message>
        <source>Lookup: the text so far</source>
        <translation>Nachschlagen: der bisherige Text</translation>
    </message>
    <message>
        <source>Off: nobody</source>
        <translation>Aus: niemand</translation>
    </message>
    <message>
        <source>The answer is the target&apos;s own either way; guessing only changes speed.</source>
        <translation>Die Antwort ist immer die des Zielmodells; das Raten ändert nur das Tempo.</translation>
    </message>
    <message>
        <source>Guess at most</source>
        <translation>Höchstens raten</translation>
    </message>
    <message>
        <source>How far ahead, where Slipstream decides from what it measures.</source>
        <translation>Wie weit voraus, wenn Slipstream nach seinen Messungen entscheidet.</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Always guess exactly</source>
        <translation>Immer genau so weit raten</translation>
    </message>
    <message>
        <source>Empty lets Slipstream decide, which is faster on almost any text.</source>
        <translation>Leer lässt Slipstream entscheiden; das ist bei fast jedem Text schneller.</translation>
    </message>
    <message>
        <source>Choice of words</source>
        <translation>Wortwahl</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 always takes the likeliest word; higher is more varied.</source>
        <translation>0 nimmt immer das wahrscheinlichste Wort; höher wird abwechslungsreicher.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>0 switches it off.</source>
        <translation>0 schaltet es ab.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Empty means until the context is full.</source>
        <translation>Leer heißt: bis der Kontext voll ist.</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>ohne Grenze</translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message>
        <source>The question could not be answered.</source>
        <translation>Die Frage konnte nicht beantwortet werden.</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly.</source>
        <translation>Die Engine ist unerwartet stehen geblieben.</translation>
    </message>
    <message>
        <source>Download complete</source>
        <translation>Download fertig</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Answer complete: {tokens} tokens in {seconds} seconds.</source>
        <translation>Antwort fertig: {tokens} Token in {seconds} Sekunden.</translation>
    </message>
    <message>
        <source>The answer is there</source>
        <translation>Die Antwort ist da</translation>
    </message>
</context>
<context>
    <name>BranchStepper</name>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>{number}/{count}</source>
        <translation>{number}/{count}</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>Fassung {number} von {count}</translation>
    </message>
</context>
<context>
    <name>ChatOptions</name>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>Als Vorlage sichern…</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>Vorlage löschen</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>For example: Answer briefly. Explain like to a colleague.</source>
        <translation>Zum Beispiel: Antworte kurz. Erkläre wie unter Kollegen.</translation>
    </message>
    <message>
        <source>Also for new chats</source>
        <translation>Auch für neue Chats</translation>
    </message>
    <message>
        <source>Who guesses</source>
        <translation>Wer rät</translation>
    </message>
    <message>
        <source>As usual</source>
        <translation>Wie üblich</translation>
    </message>
    <message>
        <source>Let this chat follow the settings in everything</source>
        <translation>Diesen Chat in allem den Einstellungen folgen lassen</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Lookup</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Choose a preset</source>
        <translation>Eine Vorlage wählen</translation>
    </message>
    <message>
        <source>No presets yet</source>
        <translation>Noch keine Vorlagen</translation>
    </message>
    <message>
        <source>Save as preset</source>
        <translation>Als Vorlage sichern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
</context>
<context>
    <name>ChatView</name>
    <message>
        <source>Conversation</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Show earlier messages</source>
        <translation>Frühere Nachrichten zeigen</translation>
    </message>
    <message>
        <source>Show later messages</source>
        <translation>Spätere Nachrichten zeigen</translation>
    </message>
</context>
<context>
    <name>ChoiceRow</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>In the queue</source>
        <translation>In der Warteschlange</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Vorhanden</translation>
    </message>
    <message>
        <source>Get it</source>
        <translation>Holen</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>Lange Zeilen umbrechen</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>CompareColumn</name>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>first token {seconds} s</source>
        <translation>erstes Token {seconds} s</translation>
    </message>
    <message>
        <source>{share} accepted</source>
        <translation>{share} angenommen</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>{speed} tok/s</source>
        <translation>{speed} Tok/s</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>With speculation ({arm})</source>
        <translation>Mit Spekulation ({arm})</translation>
    </message>
    <message>
        <source>Without speculation</source>
        <translation>Ohne Spekulation</translation>
    </message>
    <message>
        <source>Race</source>
        <translation>Wettlauf</translation>
    </message>
    <message>
        <source>Show both answers again, side by side, at their own pace</source>
        <translation>Beide Antworten noch einmal nebeneinander zeigen, jede in ihrem Tempo</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>Warmlaufen</translation>
    </message>
    <message>
        <source>Answering without speculation</source>
        <translation>Antwortet ohne Spekulation</translation>
    </message>
    <message>
        <source>Answering with speculation</source>
        <translation>Antwortet mit Spekulation</translation>
    </message>
    <message>
        <source>Same prompt, same settings, empty prompt cache, one after the other</source>
        <translation>Gleiche Frage, gleiche Einstellungen, leerer Prompt-Speicher, nacheinander</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Noch einmal messen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Hält an</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask anything</source>
        <translation>Fragen Sie etwas</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>Show guesses</source>
        <translation>Geratenes zeigen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>This chat: instructions and answers</source>
        <translation>Dieser Chat: Anweisungen und Antworten</translation>
    </message>
    <message>
        <source>Tint the parts of answers that were guessed and accepted</source>
        <translation>Die Teile der Antworten einfärben, die geraten und angenommen wurden</translation>
    </message>
    <message>
        <source>Answer twice, without and with speculation, and compare</source>
        <translation>Zweimal antworten, ohne und mit Spekulation, und vergleichen</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter begin a new line</source>
        <translation>Enter sendet, Umschalt und Enter beginnen eine neue Zeile</translation>
    </message>
    <message>
        <source>Ctrl and Enter send, Enter begins a new line</source>
        <translation>Strg und Enter senden, Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Enter)</translation>
    </message>
    <message>
        <source>Send (Ctrl+Enter)</source>
        <translation>Senden (Strg+Enter)</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Anhalten (Esc)</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>{used} of {total}</source>
        <translation>{used} von {total}</translation>
    </message>
    <message>
        <source>Context: {used} of {total} tokens used, {free} free.</source>
        <translation>Kontext: {used} von {total} Token belegt, {free} frei.</translation>
    </message>
    <message>
        <source>Your message adds about {count} tokens.</source>
        <translation>Ihre Nachricht bringt etwa {count} Token dazu.</translation>
    </message>
    <message>
        <source>{count} older messages no longer fit; the model is not given them.</source>
        <translation>{count} ältere Nachrichten passen nicht mehr; das Modell bekommt sie nicht.</translation>
    </message>
    <message>
        <source>That is more than fits. Shorten it, or take files out.</source>
        <translation>Das ist mehr, als passt. Kürzen Sie es, oder nehmen Sie Dateien heraus.</translation>
    </message>
    <message>
        <source>It is nearly full. The oldest messages will be left out first.</source>
        <translation>Er ist fast voll. Die ältesten Nachrichten fallen zuerst weg.</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Import a conversation</source>
        <translation>Eine Unterhaltung einlesen</translation>
    </message>
    <message>
        <source>Import a conversation…</source>
        <translation>Eine Unterhaltung einlesen…</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Unterhaltungen durchsuchen</translation>
    </message>
    <message>
        <source>Search in titles and messages (Ctrl+F)</source>
        <translation>In Titeln und Nachrichten suchen (Strg+F)</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Die Suche leeren</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>{title}, pinned</source>
        <translation>{title}, angeheftet</translation>
    </message>
</context>
<context>
    <name>ConversationMenu</name>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Export as Markdown…</source>
        <translation>Als Markdown ausgeben…</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>Als JSON ausgeben…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>ConversationShelf</name>
    <message>
        <source>“{title}” was deleted.</source>
        <translation>„{title}“ wurde gelöscht.</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Exported to {path}.</source>
        <translation>Nach {path} ausgegeben.</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Progress of {name}</source>
        <translation>Fortschritt von {name}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop, and remove what arrived</source>
        <translation>Anhalten und entfernen, was angekommen ist</translation>
    </message>
</context>
<context>
    <name>DownloadsPage</name>
    <message>
        <source>Nothing is being downloaded. Models you ask for appear here.</source>
        <translation>Gerade wird nichts geladen. Modelle, die Sie holen, erscheinen hier.</translation>
    </message>
    <message>
        <source>Take finished ones off the list</source>
        <translation>Fertige von der Liste nehmen</translation>
    </message>
</context>
<context>
    <name>DraftRow</name>
    <message>
        <source>Get it</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Load the pair</source>
        <translation>Das Paar laden</translation>
    </message>
    <message>
        <source>In the queue</source>
        <translation>In der Warteschlange</translation>
    </message>
</context>
<context>
    <name>Drops</name>
    <message>
        <source>Drop to open: the larger file answers, the smaller guesses</source>
        <translation>Zum Öffnen loslassen: die größere Datei antwortet, die kleinere rät</translation>
    </message>
</context>
<context>
    <name>EmptyPage</name>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>Das Modell wird geladen</translation>
    </message>
    <message>
        <source>The engine stopped</source>
        <translation>Die Engine ist stehen geblieben</translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation>Das Modell konnte nicht geladen werden</translation>
    </message>
    <message>
        <source>{name} was unloaded, and its memory is free again.</source>
        <translation>{name} wurde entladen, sein Speicher ist wieder frei.</translation>
    </message>
    <message>
        <source>Load it again</source>
        <translation>Wieder laden</translation>
    </message>
    <message>
        <source>No model in memory</source>
        <translation>Kein Modell im Speicher</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Find a model…</source>
        <translation>Ein Modell suchen…</translation>
    </message>
    <message>
        <source>A model for this computer</source>
        <translation>Ein Modell für diesen Computer</translation>
    </message>
    <message>
        <source>Choose a model file (GGUF) on this computer. A small draft model of the same family, chosen along with it, makes answers come sooner.</source>
        <translation>Wählen Sie eine Modelldatei (GGUF) auf diesem Computer. Ein kleines Entwurfsmodell derselben Familie, dazu gewählt, lässt Antworten früher kommen.</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>Öffnen Sie zuerst ein Modell</translation>
    </message>
    <message>
        <source>What would you like to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Other models…</source>
        <translation>Andere Modelle…</translation>
    </message>
    <message>
        <source>{target} answers, {draft} guesses ahead.</source>
        <translation>{target} antwortet, {draft} rät voraus.</translation>
    </message>
    <message>
        <source>{target} answers. Guesses come from the text so far.</source>
        <translation>{target} antwortet. Geraten wird aus dem bisherigen Text.</translation>
    </message>
</context>
<context>
    <name>EnergyPage</name>
    <message>
        <source>Energy and cost</source>
        <translation>Energie und Kosten</translation>
    </message>
    <message>
        <source>Tariff</source>
        <translation>Tarif</translation>
    </message>
    <message>
        <source>Price of a kilowatt-hour</source>
        <translation>Preis einer Kilowattstunde</translation>
    </message>
    <message>
        <source>With a comma or a point, as on your bill: 0,32 or 0.32.</source>
        <translation>Mit Komma oder Punkt, wie auf Ihrer Rechnung: 0,32 oder 0.32.</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>As you write it: EUR, €, USD.</source>
        <translation>Wie Sie sie schreiben: EUR, €, USD.</translation>
    </message>
    <message>
        <source>Figures of a plug meter</source>
        <translation>Werte eines Steckdosenmessgeräts</translation>
    </message>
    <message>
        <source>While an answer is written</source>
        <translation>Während eine Antwort geschrieben wird</translation>
    </message>
    <message>
        <source>With this figure the cost is that of the whole computer, whatever its own meters say. Empty uses the computer&apos;s meters.</source>
        <translation>Mit diesem Wert sind die Kosten die des ganzen Computers, was immer seine eigenen Zähler sagen. Leer nimmt die Zähler des Computers.</translation>
    </message>
    <message>
        <source>watts</source>
        <translation>Watt</translation>
    </message>
    <message>
        <source>While nothing happens</source>
        <translation>Während nichts geschieht</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Leave out what the computer draws anyway</source>
        <translation>Weglassen, was der Computer ohnehin braucht</translation>
    </message>
    <message>
        <source>Then an answer&apos;s energy is only what it took on top.</source>
        <translation>Dann ist die Energie einer Antwort nur, was sie zusätzlich brauchte.</translation>
    </message>
    <message>
        <source>Enter a currency of one to eight letters or signs.</source>
        <translation>Geben Sie eine Währung aus ein bis acht Buchstaben oder Zeichen ein.</translation>
    </message>
</context>
<context>
    <name>EnergyView</name>
    <message>
        <source>Power now</source>
        <translation>Leistung jetzt</translation>
    </message>
    <message>
        <source>Drawn by all devices that tell it</source>
        <translation>Was alle Geräte ziehen, die es sagen</translation>
    </message>
    <message>
        <source>This answer</source>
        <translation>Diese Antwort</translation>
    </message>
    <message>
        <source>From sending the question to the last token</source>
        <translation>Vom Absenden der Frage bis zum letzten Token</translation>
    </message>
    <message>
        <source>Its cost</source>
        <translation>Ihre Kosten</translation>
    </message>
    <message>
        <source>Energy times your price per kWh</source>
        <translation>Energie mal Ihrem Preis je kWh</translation>
    </message>
    <message>
        <source>1 million tokens</source>
        <translation>1 Million Token</translation>
    </message>
    <message>
        <source>What a million tokens would cost at this rate</source>
        <translation>Was eine Million Token in diesem Verhältnis kosten würde</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Cost today</source>
        <translation>Kosten heute</translation>
    </message>
    <message>
        <source>Nothing is read between answers, so that devices may sleep.</source>
        <translation>Zwischen Antworten wird nichts abgelesen, damit Geräte schlafen können.</translation>
    </message>
    <message>
        <source>There is no answer to measure yet.</source>
        <translation>Es gibt noch keine Antwort zum Messen.</translation>
    </message>
    <message>
        <source>There is no reason given.</source>
        <translation>Es ist kein Grund bekannt.</translation>
    </message>
    <message>
        <source>{amount} J for each token, the prompt included</source>
        <translation>{amount} J je Token, die Eingabe eingerechnet</translation>
    </message>
    <message>
        <source>The answer has no tokens.</source>
        <translation>Die Antwort hat keine Token.</translation>
    </message>
    <message>
        <source>{scope}, {method}.</source>
        <translation>{scope}, {method}.</translation>
    </message>
    <message>
        <source>Price: an example ({price} per kWh); set yours.</source>
        <translation>Preis: ein Beispiel ({price} je kWh); geben Sie Ihren an.</translation>
    </message>
    <message>
        <source>None of today&apos;s answers could be measured.</source>
        <translation>Keine der heutigen Antworten konnte gemessen werden.</translation>
    </message>
    <message>
        <source>There was no answer today.</source>
        <translation>Heute gab es keine Antwort.</translation>
    </message>
    <message>
        <source>At the price of the moment of each answer</source>
        <translation>Zum Preis im Augenblick jeder Antwort</translation>
    </message>
    <message>
        <source>{measured} of {answers} answers measured</source>
        <translation>{measured} von {answers} Antworten gemessen</translation>
    </message>
</context>
<context>
    <name>EnginePage</name>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Context of a conversation</source>
        <translation>Kontext einer Unterhaltung</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Accept at least</source>
        <translation>Mindestens</translation>
    </message>
    <message>
        <source>If memory is short, the context is made shorter, but not below this.</source>
        <translation>Ist der Speicher knapp, wird der Kontext kürzer, aber nicht kürzer als dies.</translation>
    </message>
    <message>
        <source>Answers at once</source>
        <translation>Antworten gleichzeitig</translation>
    </message>
    <message>
        <source>Number format of the context</source>
        <translation>Zahlenformat des Kontexts</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Prozessor-Threads</translation>
    </message>
    <message>
        <source>Costs no memory. Empty uses one for each real core.</source>
        <translation>Kostet keinen Speicher. Leer nimmt einen für jeden echten Kern.</translation>
    </message>
    <message>
        <source>Layers on the graphics device</source>
        <translation>Schichten auf dem Grafikgerät</translation>
    </message>
    <message>
        <source>This takes effect when the model is loaded again.</source>
        <translation>Das gilt, sobald das Modell neu geladen ist.</translation>
    </message>
    <message>
        <source>Load again now</source>
        <translation>Jetzt neu laden</translation>
    </message>
    <message>
        <source>Load a pair to see here what these options cost in memory.</source>
        <translation>Laden Sie ein Paar, um hier zu sehen, was diese Optionen an Speicher kosten.</translation>
    </message>
    <message>
        <source>What the model can look back on.</source>
        <translation>Worauf das Modell zurückblicken kann.</translation>
    </message>
    <message>
        <source>Each needs a context of its own.</source>
        <translation>Jede braucht einen eigenen Kontext.</translation>
    </message>
    <message>
        <source>Smaller saves memory; q4_0 can cost quality.</source>
        <translation>Kleiner spart Speicher; q4_0 kann Güte kosten.</translation>
    </message>
    <message>
        <source>Empty places as many as fit.</source>
        <translation>Leer legt so viele darauf, wie passen.</translation>
    </message>
    <message>
        <source>Its memory: {size} for draft and target together.</source>
        <translation>Sein Speicher: {size} für Entwurf und Ziel zusammen.</translation>
    </message>
    <message>
        <source>One more costs {size}.</source>
        <translation>Eine mehr kostet {size}.</translation>
    </message>
    <message>
        <source>Smaller saves memory; q4_0 can cost quality. The draft&apos;s is always f16.</source>
        <translation>Kleiner spart Speicher; q4_0 kann Güte kosten. Der des Entwurfs ist immer f16.</translation>
    </message>
    <message>
        <source>The target has {count}, about {size} each. Empty places all that fit.</source>
        <translation>Das Zielmodell hat {count}, jede etwa {size}. Leer legt alle darauf, die passen.</translation>
    </message>
    <message>
        <source>Together: {total} (models {weights}, context {kv}, computing {compute}).</source>
        <translation>Zusammen: {total} (Modelle {weights}, Kontext {kv}, Rechnen {compute}).</translation>
    </message>
</context>
<context>
    <name>Failures</name>
    <message>
        <source>Something unexpected happened ({kind}). Your conversations are saved. You can go on; if things look odd, restart the app. Details are in {file}.</source>
        <translation>Etwas Unerwartetes ist geschehen ({kind}). Ihre Unterhaltungen sind gesichert. Sie können weitermachen; wirkt etwas seltsam, starten Sie die App neu. Näheres steht in {file}.</translation>
    </message>
</context>
<context>
    <name>FolderField</name>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose the folder for: {name}</source>
        <translation>Den Ordner wählen für: {name}</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Einen Ordner wählen</translation>
    </message>
</context>
<context>
    <name>HelpPage</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>{name} {version}</source>
        <translation>{name} {version}</translation>
    </message>
    <message>
        <source>Copy diagnostic report</source>
        <translation>Diagnosebericht kopieren</translation>
    </message>
    <message>
        <source>Versions, devices, settings and the last log lines, to paste where you ask for help. Nothing you wrote or read is in it, no name and no path.</source>
        <translation>Versionen, Geräte, Einstellungen und die letzten Protokollzeilen, zum Einfügen dort, wo Sie um Hilfe bitten. Nichts, was Sie geschrieben oder gelesen haben, kein Name und kein Pfad ist darin.</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Den Protokollordner öffnen</translation>
    </message>
    <message>
        <source>What the window and the engine noted; conversations are never logged.</source>
        <translation>Was Fenster und Engine vermerkt haben; Unterhaltungen werden nie protokolliert.</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>F1 shows them at any time.</source>
        <translation>F1 zeigt sie jederzeit.</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
</context>
<context>
    <name>InstalledPage</name>
    <message>
        <source>Models on this computer</source>
        <translation>Modelle auf diesem Computer</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Part of</source>
        <translation>Teil von</translation>
    </message>
    <message>
        <source>Folder of</source>
        <translation>Ordner von</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Check the file</source>
        <translation>Datei prüfen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Add a file…</source>
        <translation>Eine Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Den Ordner öffnen</translation>
    </message>
    <message>
        <source>{size} in {folder}</source>
        <translation>{size} in {folder}</translation>
    </message>
    <message>
        <source>parts are missing</source>
        <translation>Teile fehlen</translation>
    </message>
    <message>
        <source>Delete {name}? {size} become free.</source>
        <translation>{name} löschen? {size} werden frei.</translation>
    </message>
    <message>
        <source>Only the link goes; the file it points to stays.</source>
        <translation>Nur die Verknüpfung geht; die Datei, auf die sie zeigt, bleibt.</translation>
    </message>
    <message>
        <source>These pairs lose a part: {pairs}.</source>
        <translation>Diese Paare verlieren einen Teil: {pairs}.</translation>
    </message>
    <message>
        <source>Delete a model</source>
        <translation>Ein Modell löschen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Add a model file</source>
        <translation>Eine Modelldatei hinzufügen</translation>
    </message>
    <message>
        <source>Model files (*.gguf)</source>
        <translation>Modelldateien (*.gguf)</translation>
    </message>
    <message>
        <source>Add {name} by a link, which takes no space but breaks when the file is moved, or copy it into the models folder?</source>
        <translation>{name} als Verknüpfung hinzufügen, die keinen Platz braucht, aber bricht, wenn die Datei verschoben wird, oder in den Modellordner kopieren?</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>Ein Modell hinzufügen</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Verknüpfen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>lookup</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>Guessed by the draft model and accepted by the target</source>
        <translation>Vom Entwurfsmodell geraten und vom Zielmodell angenommen</translation>
    </message>
    <message>
        <source>Guessed from the text so far and accepted by the target</source>
        <translation>Aus dem bisherigen Text geraten und vom Zielmodell angenommen</translation>
    </message>
</context>
<context>
    <name>LibraryTasks</name>
    <message>
        <source>Deleted. {size} are free again.</source>
        <translation>Gelöscht. {size} sind wieder frei.</translation>
    </message>
    <message>
        <source>{name} was added.</source>
        <translation>{name} wurde hinzugefügt.</translation>
    </message>
    <message>
        <source>{name} is exactly what was downloaded.</source>
        <translation>{name} ist genau das, was heruntergeladen wurde.</translation>
    </message>
    <message>
        <source>{name} is damaged. Delete it and get it again.</source>
        <translation>{name} ist beschädigt. Löschen Sie es und holen Sie es neu.</translation>
    </message>
    <message>
        <source>{name} was not downloaded by this app, so there is nothing to compare it with.</source>
        <translation>{name} wurde nicht von dieser App heruntergeladen, darum gibt es nichts zum Vergleichen.</translation>
    </message>
    <message>
        <source>Copying: {share}</source>
        <translation>Kopieren: {share}</translation>
    </message>
    <message>
        <source>Checking: {share}</source>
        <translation>Prüfen: {share}</translation>
    </message>
</context>
<context>
    <name>MemoryView</name>
    <message>
        <source>Nothing is loaded</source>
        <translation>Nichts ist geladen</translation>
    </message>
    <message>
        <source>No graphics device is in use</source>
        <translation>Kein Grafikgerät im Einsatz</translation>
    </message>
    <message>
        <source>The processor computes, with the models in RAM. A graphics device with room for the target would be several times as fast.</source>
        <translation>Der Prozessor rechnet, mit den Modellen im RAM. Ein Grafikgerät mit Platz für das Zielmodell wäre ein Mehrfaches schneller.</translation>
    </message>
    <message>
        <source>Engine process</source>
        <translation>Engine-Prozess</translation>
    </message>
    <message>
        <source>Memory of the engine&apos;s process that is in RAM now</source>
        <translation>Speicher des Engine-Prozesses, der jetzt im RAM liegt</translation>
    </message>
    <message>
        <source>It was not measured yet.</source>
        <translation>Er wurde noch nicht gemessen.</translation>
    </message>
</context>
<context>
    <name>MessageBody</name>
    <message>
        <source>Answer text</source>
        <translation>Text der Antwort</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Edit message</source>
        <translation>Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>The earlier version is kept beside it</source>
        <translation>Die frühere Fassung bleibt daneben erhalten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <source>The model no longer sees what is above this line</source>
        <translation>Was über dieser Linie steht, sieht das Modell nicht mehr</translation>
    </message>
</context>
<context>
    <name>Metric</name>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
</context>
<context>
    <name>ModelsDesk</name>
    <message>
        <source>{title} is on its way: {done} of {total}.</source>
        <translation>{title} ist unterwegs: {done} von {total}.</translation>
    </message>
    <message>
        <source>Show the download</source>
        <translation>Den Download zeigen</translation>
    </message>
    <message>
        <source>{title} suits this computer: one answers, the other makes it faster.</source>
        <translation>{title} passt zu diesem Computer: das eine antwortet, das andere macht es schneller.</translation>
    </message>
    <message>
        <source>Get it ({size})</source>
        <translation>Holen ({size})</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>{title} is here, complete and checked.</source>
        <translation>{title} ist da, vollständig und geprüft.</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Pair checker</source>
        <translation>Paarprüfer</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Models folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>New downloads go here, from the next start on. Models that are elsewhere stay where they are.</source>
        <translation>Neue Downloads kommen hierher, vom nächsten Start an. Modelle, die anderswo liegen, bleiben dort.</translation>
    </message>
    <message>
        <source>Address of the Hub</source>
        <translation>Adresse des Hubs</translation>
    </message>
    <message>
        <source>Empty is the public one. A mirror is used from the next start on.</source>
        <translation>Leer ist der öffentliche. Ein Spiegel wird vom nächsten Start an benutzt.</translation>
    </message>
    <message>
        <source>Enter the whole path of a folder.</source>
        <translation>Geben Sie den ganzen Pfad eines Ordners ein.</translation>
    </message>
    <message>
        <source>This is a file. Choose a folder.</source>
        <translation>Das ist eine Datei. Wählen Sie einen Ordner.</translation>
    </message>
    <message>
        <source>There is no such folder. Create it first, or choose another one.</source>
        <translation>Diesen Ordner gibt es nicht. Legen Sie ihn zuerst an, oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>You may not write to this folder. Choose another one.</source>
        <translation>In diesen Ordner dürfen Sie nicht schreiben. Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>Enter an address that begins with https://.</source>
        <translation>Geben Sie eine Adresse ein, die mit https:// beginnt.</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>{name} ({unit})</source>
        <translation>{name} ({unit})</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Enter a whole number from {low} to {high}.</source>
        <translation>Geben Sie eine ganze Zahl von {low} bis {high} ein.</translation>
    </message>
    <message>
        <source>Enter a number from {low} to {high}, for example {example}.</source>
        <translation>Geben Sie eine Zahl von {low} bis {high} ein, zum Beispiel {example}.</translation>
    </message>
</context>
<context>
    <name>OpenPair</name>
    <message>
        <source>Open a model</source>
        <translation>Ein Modell öffnen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} Token</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>The target writes the answers. The draft, a much smaller model of the same family, guesses ahead and makes it faster; it is optional.</source>
        <translation>Das Zielmodell schreibt die Antworten. Der Entwurf, ein viel kleineres Modell derselben Familie, rät voraus und macht es schneller; er ist freiwillig.</translation>
    </message>
    <message>
        <source>Choose the target first.</source>
        <translation>Wählen Sie zuerst das Zielmodell.</translation>
    </message>
    <message>
        <source>Reading the files…</source>
        <translation>Die Dateien werden gelesen…</translation>
    </message>
    <message>
        <source>Load without draft</source>
        <translation>Ohne Entwurf laden</translation>
    </message>
    <message>
        <source>This model can be loaded. Without a draft, guesses come from the text so far.</source>
        <translation>Dieses Modell kann geladen werden. Ohne Entwurf wird aus dem bisherigen Text geraten.</translation>
    </message>
    <message>
        <source>These two go together.</source>
        <translation>Diese beiden passen zusammen.</translation>
    </message>
</context>
<context>
    <name>PairBar</name>
    <message>
        <source>Models…</source>
        <translation>Modelle…</translation>
    </message>
    <message>
        <source>Find, download and manage models (Ctrl+M)</source>
        <translation>Modelle suchen, herunterladen und verwalten (Strg+M)</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Open a model and a draft from disk (Ctrl+O)</source>
        <translation>Ein Modell und einen Entwurf von der Platte öffnen (Strg+O)</translation>
    </message>
    <message>
        <source>Unload: free the memory of the models</source>
        <translation>Entladen: den Speicher der Modelle freigeben</translation>
    </message>
    <message>
        <source>Settings (Ctrl+,)</source>
        <translation>Einstellungen (Strg+,)</translation>
    </message>
    <message>
        <source>Show or hide the conversations (Ctrl+B)</source>
        <translation>Die Unterhaltungen zeigen oder verbergen (Strg+B)</translation>
    </message>
    <message>
        <source>Show or hide the numbers (Ctrl+J)</source>
        <translation>Die Zahlen zeigen oder verbergen (Strg+J)</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>draft: {name}</source>
        <translation>Entwurf: {name}</translation>
    </message>
    <message>
        <source>without draft model</source>
        <translation>ohne Entwurfsmodell</translation>
    </message>
    <message>
        <source>State: {state}</source>
        <translation>Zustand: {state}</translation>
    </message>
</context>
<context>
    <name>PairCard</name>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Answers: {file}</source>
        <translation>Antwortet: {file}</translation>
    </message>
    <message>
        <source>Guesses ahead: {file}</source>
        <translation>Rät voraus: {file}</translation>
    </message>
    <message>
        <source>licence to be accepted first</source>
        <translation>Lizenz ist vorher anzunehmen</translation>
    </message>
    <message>
        <source>Others measured {times} × on {hardware}; here it may be more or less.</source>
        <translation>Andere maßen {times} × auf {hardware}; hier kann es mehr oder weniger sein.</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Go on with the download</source>
        <translation>Den Download fortsetzen</translation>
    </message>
    <message>
        <source>Get it ({size})</source>
        <translation>Holen ({size})</translation>
    </message>
    <message>
        <source>Get this one ({size})</source>
        <translation>Dieses holen ({size})</translation>
    </message>
</context>
<context>
    <name>PairPage</name>
    <message>
        <source>A draft must speak the same tokens as its target. Choose a target: the drafts that may serve it come first, the others with the reason why not.</source>
        <translation>Ein Entwurf muss dieselben Token sprechen wie sein Zielmodell. Wählen Sie ein Zielmodell: die Entwürfe, die ihm dienen können, kommen zuerst, die anderen mit dem Grund, warum nicht.</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>A file here, or owner/repository/file.gguf</source>
        <translation>Eine Datei hier, oder besitzer/repository/datei.gguf</translation>
    </message>
    <message>
        <source>Also look at drafts that can be downloaded</source>
        <translation>Auch Entwürfe ansehen, die man herunterladen kann</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Reading the files…</source>
        <translation>Die Dateien werden gelesen…</translation>
    </message>
    <message>
        <source>{count} of {all} drafts may serve this target.</source>
        <translation>{count} von {all} Entwürfen können diesem Zielmodell dienen.</translation>
    </message>
    <message>
        <source>There is no other model here that could draft.</source>
        <translation>Hier ist kein anderes Modell, das entwerfen könnte.</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>Token je Sekunde</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>Erstes Token nach</translation>
    </message>
    <message>
        <source>From sending to the first token, prompt included</source>
        <translation>Vom Absenden bis zum ersten Token, die Eingabe eingerechnet</translation>
    </message>
    <message>
        <source>Prompt speed</source>
        <translation>Lesetempo</translation>
    </message>
    <message>
        <source>Prompt tokens read per second; remembered ones not counted</source>
        <translation>Gelesene Token der Eingabe je Sekunde; gemerkte zählen nicht</translation>
    </message>
    <message>
        <source>Guesses from</source>
        <translation>Geraten von</translation>
    </message>
    <message>
        <source>Who proposes tokens in this answer</source>
        <translation>Wer in dieser Antwort Token vorschlägt</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Share of guessed tokens that the target accepted, lately</source>
        <translation>Anteil der geratenen Token, die das Zielmodell zuletzt annahm</translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation>Token je Durchgang</translation>
    </message>
    <message>
        <source>Tokens the target gives each time it is asked; 1 without guesses</source>
        <translation>Token, die das Zielmodell bei jeder Anfrage gibt; 1 ohne Raten</translation>
    </message>
    <message>
        <source>Guessing ahead</source>
        <translation>Rät voraus</translation>
    </message>
    <message>
        <source>Tokens guessed in the newest step</source>
        <translation>Im neuesten Schritt geratene Token</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Energy and cost</source>
        <translation>Energie und Kosten</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>niemand</translation>
    </message>
    <message>
        <source>draft model</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>text so far</source>
        <translation>bisheriger Text</translation>
    </message>
    <message>
        <source>whatever pays</source>
        <translation>was sich lohnt</translation>
    </message>
    <message>
        <source>Over the last second</source>
        <translation>In der letzten Sekunde</translation>
    </message>
    <message>
        <source>Over the whole answer</source>
        <translation>Über die ganze Antwort</translation>
    </message>
    <message>
        <source>Speed: {speed} tokens per second</source>
        <translation>Tempo: {speed} Token je Sekunde</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{speed} tok/s</source>
        <translation>{speed} Tok/s</translation>
    </message>
    <message>
        <source>The whole prompt was still in memory, so nothing was read.</source>
        <translation>Die ganze Eingabe war noch im Speicher, darum wurde nichts gelesen.</translation>
    </message>
    <message>
        <source>Nothing was guessed in this answer.</source>
        <translation>In dieser Antwort wurde nichts geraten.</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>{count} tokens on average</source>
        <translation>im Mittel {count} Token</translation>
    </message>
    <message>
        <source>There is no answer to measure yet.</source>
        <translation>Es gibt noch keine Antwort zum Messen.</translation>
    </message>
</context>
<context>
    <name>PositionBars</name>
    <message>
        <source>{place}: {share} %</source>
        <translation>{place}: {share} %</translation>
    </message>
    <message>
        <source>Accepted by place in the guess. {shares}</source>
        <translation>Angenommen nach Platz in der Vermutung. {shares}</translation>
    </message>
    <message>
        <source>Nothing was guessed yet.</source>
        <translation>Noch wurde nichts geraten.</translation>
    </message>
</context>
<context>
    <name>ReasoningView</name>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Gedankengang</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>Hat {seconds} s nachgedacht</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Gedanken</translation>
    </message>
</context>
<context>
    <name>RecommendedPage</name>
    <message>
        <source>What for</source>
        <translation>Wofür</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Programming</source>
        <translation>Programmieren</translation>
    </message>
    <message>
        <source>Hard questions</source>
        <translation>Schwere Fragen</translation>
    </message>
    <message>
        <source>For</source>
        <translation>Für</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>Dieser Computer wird angesehen…</translation>
    </message>
    <message>
        <source>{device}: {free} of {total} free</source>
        <translation>{device}: {free} von {total} frei</translation>
    </message>
    <message>
        <source>Recommended for this computer</source>
        <translation>Für diesen Computer empfohlen</translation>
    </message>
    <message>
        <source>Next smaller</source>
        <translation>Nächstkleineres</translation>
    </message>
    <message>
        <source>Next larger</source>
        <translation>Nächstgrößeres</translation>
    </message>
</context>
<context>
    <name>RepositoryPage</name>
    <message>
        <source>Back to the list</source>
        <translation>Zurück zur Liste</translation>
    </message>
    <message>
        <source>Open its page</source>
        <translation>Seine Seite öffnen</translation>
    </message>
    <message>
        <source>Asking the Hub…</source>
        <translation>Der Hub wird gefragt…</translation>
    </message>
    <message>
        <source>Parts of these are missing, so they are not offered: {names}.</source>
        <translation>Teile davon fehlen, darum werden sie nicht angeboten: {names}.</translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <source>A name, for example qwen3, or owner/repository, or a pasted address</source>
        <translation>Ein Name, zum Beispiel qwen3, oder besitzer/repository, oder eine eingefügte Adresse</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Any size</source>
        <translation>Jede Größe</translation>
    </message>
    <message>
        <source>Fits this computer</source>
        <translation>Passt auf diesen Computer</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Any licence</source>
        <translation>Jede Lizenz</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>{count} downloads or more</source>
        <translation>mindestens {count} Downloads</translation>
    </message>
    <message>
        <source>Any number of downloads</source>
        <translation>Beliebig viele Downloads</translation>
    </message>
    <message>
        <source>Models come from a Hub, by default huggingface.co. Nothing is sent but the words you search for.</source>
        <translation>Modelle kommen von einem Hub, gewöhnlich huggingface.co. Gesendet werden nur die Wörter, nach denen Sie suchen.</translation>
    </message>
    <message>
        <source>Repositories found</source>
        <translation>Gefundene Repositorys</translation>
    </message>
    <message>
        <source>Repository</source>
        <translation>Repository</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>At 4 bits</source>
        <translation>Bei 4 Bit</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Sucht…</translation>
    </message>
    <message>
        <source>{count} found. Choose one to see its files.</source>
        <translation>{count} gefunden. Wählen Sie eines, um seine Dateien zu sehen.</translation>
    </message>
    <message>
        <source>{count} of {all} pass the filters. Choose one to see its files.</source>
        <translation>{count} von {all} kommen durch die Filter. Wählen Sie eines, um seine Dateien zu sehen.</translation>
    </message>
    <message>
        <source>Nothing was found. Try fewer or other words.</source>
        <translation>Nichts gefunden. Versuchen Sie weniger oder andere Wörter.</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>{name}, to be accepted</source>
        <translation>{name}, anzunehmen</translation>
    </message>
    <message>
        <source>{count} billion</source>
        <translation>{count} Milliarden</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Groups of settings</source>
        <translation>Gruppen von Einstellungen</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Alle Einstellungen zurücksetzen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The usual settings are in force.</source>
        <translation>Die üblichen Einstellungen gelten.</translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>SpeculationSwitch</name>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Speculation: {choice}</source>
        <translation>Spekulation: {choice}</translation>
    </message>
    <message>
        <source>No draft model is loaded. Choose one under Open.</source>
        <translation>Kein Entwurfsmodell ist geladen. Wählen Sie eines unter „Öffnen“.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>One token at a time, without guesses</source>
        <translation>Ein Token nach dem anderen, ohne Raten</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Lookup</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>Guesses come from the text so far; no draft model is needed</source>
        <translation>Geraten wird aus dem bisherigen Text; kein Entwurfsmodell nötig</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Whatever is fastest on this computer</source>
        <translation>Was auf diesem Computer am schnellsten ist</translation>
    </message>
    <message>
        <source>Guesses come from the draft model</source>
        <translation>Das Entwurfsmodell rät</translation>
    </message>
    <message>
        <source>Guesses come from {draft}</source>
        <translation>{draft} rät</translation>
    </message>
    <message>
        <source>Now: {choice}</source>
        <translation>Jetzt: {choice}</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>TokenField</name>
    <message>
        <source>Access token</source>
        <translation>Zugangstoken</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep the access token</source>
        <translation>Das Zugangstoken behalten</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forget the access token</source>
        <translation>Das Zugangstoken vergessen</translation>
    </message>
    <message>
        <source>Asking the system&apos;s keyring…</source>
        <translation>Der Schlüsselbund des Systems wird gefragt…</translation>
    </message>
    <message>
        <source>None is kept. Only gated models need one.</source>
        <translation>Keines ist hinterlegt. Nur zugangsbeschränkte Modelle brauchen eines.</translation>
    </message>
    <message>
        <source>One is kept in the system&apos;s keyring.</source>
        <translation>Eines liegt im Schlüsselbund des Systems.</translation>
    </message>
    <message>
        <source>One is kept until Slipstream ends: this computer has no keyring.</source>
        <translation>Eines wird behalten, bis Slipstream endet: dieser Computer hat keinen Schlüsselbund.</translation>
    </message>
    <message>
        <source>A token has only letters, digits and signs, no spaces.</source>
        <translation>Ein Token hat nur Buchstaben, Ziffern und Zeichen, keine Leerzeichen.</translation>
    </message>
</context>
<context>
    <name>TokenRow</name>
    <message>
        <source>Open the page</source>
        <translation>Die Seite öffnen</translation>
    </message>
    <message>
        <source>Paste your access token (hf_…)</source>
        <translation>Fügen Sie Ihr Zugangstoken ein (hf_…)</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>Zugangstoken</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>The makers of {repo} want you to accept their licence first: open the page, sign in, accept it, make an access token in your account&apos;s settings, and paste it here.</source>
        <translation>Die Urheber von {repo} möchten, dass Sie zuerst ihre Lizenz annehmen: öffnen Sie die Seite, melden Sie sich an, nehmen Sie sie an, erzeugen Sie in den Einstellungen Ihres Kontos ein Zugangstoken und fügen Sie es hier ein.</translation>
    </message>
    <message>
        <source>The token of {name} is in place.</source>
        <translation>Das Token von {name} ist hinterlegt.</translation>
    </message>
    <message>
        <source>This computer has no keyring that can be used, so the token is forgotten when the app closes.</source>
        <translation>Dieser Computer hat keinen brauchbaren Schlüsselbund, darum wird das Token vergessen, wenn die App schließt.</translation>
    </message>
</context>
<context>
    <name>UserView</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Edit and ask again</source>
        <translation>Bearbeiten und noch einmal fragen</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>Ihre Nachricht</translation>
    </message>
</context>
<context>
    <name>WindowPage</name>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Another language is used from the next start on.</source>
        <translation>Eine andere Sprache gilt vom nächsten Start an.</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>Enter sendet</translation>
    </message>
    <message>
        <source>Otherwise Ctrl and Enter send, and Enter begins a new line.</source>
        <translation>Sonst senden Strg und Enter, und Enter beginnt eine neue Zeile.</translation>
    </message>
    <message>
        <source>Tell me when a long answer or a download ends</source>
        <translation>Bescheid geben, wenn eine lange Antwort oder ein Download fertig ist</translation>
    </message>
    <message>
        <source>By a system notification, and only while another window is in front.</source>
        <translation>Durch eine Mitteilung des Systems, und nur, während ein anderes Fenster vorn ist.</translation>
    </message>
</context>
<context>
    <name>WorthLine</name>
    <message>
        <source>Speculation here: slower, so auto leaves it off</source>
        <translation>Spekulation hier: langsamer, darum lässt Auto sie aus</translation>
    </message>
    <message>
        <source>A speed-up is only shown after both ways answered the same question here.</source>
        <translation>Ein Gewinn wird nur gezeigt, nachdem beide Arten hier dieselbe Frage beantwortet haben.</translation>
    </message>
    <message>
        <source>Speculation here: not compared yet</source>
        <translation>Spekulation hier: noch nicht verglichen</translation>
    </message>
    <message>
        <source>The same question, answered with speculation off and on.</source>
        <translation>Dieselbe Frage, beantwortet mit und ohne Spekulation.</translation>
    </message>
    <message>
        <source>Speculation here: no difference, measured {when}</source>
        <translation>Spekulation hier: kein Unterschied, gemessen {when}</translation>
    </message>
    <message>
        <source>Speculation here: {factor} × faster, measured {when}</source>
        <translation>Spekulation hier: {factor} × schneller, gemessen {when}</translation>
    </message>
    <message>
        <source>Speculation here: {factor} × as fast as without, measured {when}</source>
        <translation>Spekulation hier: {factor} × so schnell wie ohne, gemessen {when}</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>on {date}</source>
        <translation>am {date}</translation>
    </message>
</context>
<context>
    <name>_BannerRow</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>_Chip</name>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
</context>
<context>
    <name>_DeviceRow</name>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Speicher</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Free memory as it was when the model was loaded</source>
        <translation>Freier Speicher, wie er beim Laden des Modells war</translation>
    </message>
    <message>
        <source>{free} free: plenty of room</source>
        <translation>{free} frei: reichlich Platz</translation>
    </message>
    <message>
        <source>{free} free: enough, not for much more</source>
        <translation>{free} frei: genug, aber nicht für viel mehr</translation>
    </message>
    <message>
        <source>{free} free: tight. A shorter context or no draft helps.</source>
        <translation>{free} frei: knapp. Ein kürzerer Kontext oder kein Entwurf hilft.</translation>
    </message>
</context>
<context>
    <name>_FileRow</name>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>A .gguf file</source>
        <translation>Eine .gguf-Datei</translation>
    </message>
    <message>
        <source>Choose the file for: {name}</source>
        <translation>Die Datei wählen für: {name}</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Eine Datei wählen</translation>
    </message>
    <message>
        <source>{count} billion parameters</source>
        <translation>{count} Milliarden Parameter</translation>
    </message>
    <message>
        <source>up to {tokens} tokens</source>
        <translation>bis zu {tokens} Token</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>Eine Modelldatei wählen</translation>
    </message>
    <message>
        <source>Model files (*.gguf);;All files (*)</source>
        <translation>Modelldateien (*.gguf);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>_FoldedFile</name>
    <message>
        <source>{name} · {size}</source>
        <translation>{name} · {size}</translation>
    </message>
    <message>
        <source>Attached file {name}</source>
        <translation>Angehängte Datei {name}</translation>
    </message>
    <message>
        <source>Show or hide the text of this file</source>
        <translation>Den Text dieser Datei zeigen oder verbergen</translation>
    </message>
</context>
<context>
    <name>amounts</name>
    <message>
        <source>{amount} kJ</source>
        <translation>{amount} kJ</translation>
    </message>
    <message>
        <source>{amount} J</source>
        <translation>{amount} J</translation>
    </message>
    <message>
        <source>{amount} kWh</source>
        <translation>{amount} kWh</translation>
    </message>
    <message>
        <source>{amount} Wh</source>
        <translation>{amount} Wh</translation>
    </message>
    <message>
        <source>{amount} W</source>
        <translation>{amount} W</translation>
    </message>
    <message>
        <source>{amount} {currency}</source>
        <translation>{amount} {currency}</translation>
    </message>
    <message>
        <source>graphics device</source>
        <translation>Grafikgerät</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>chip</source>
        <translation>Chip</translation>
    </message>
    <message>
        <source>graphics device and processor</source>
        <translation>Grafikgerät und Prozessor</translation>
    </message>
    <message>
        <source>whole computer</source>
        <translation>ganzer Computer</translation>
    </message>
    <message>
        <source>counted by the device</source>
        <translation>vom Gerät gezählt</translation>
    </message>
    <message>
        <source>from power readings</source>
        <translation>aus Leistungsmesswerten</translation>
    </message>
    <message>
        <source>from your plug meter&apos;s figures</source>
        <translation>aus den Werten Ihres Steckdosenmessgeräts</translation>
    </message>
    <message>
        <source>estimate from rated power</source>
        <translation>Schätzung aus der Nennleistung</translation>
    </message>
</context>
<context>
    <name>answer</name>
    <message>
        <source>{speed} tok/s</source>
        <translation>{speed} Tok/s</translation>
    </message>
    <message>
        <source>first token {seconds} s</source>
        <translation>erstes Token {seconds} s</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>{share} accepted</source>
        <translation>{share} angenommen</translation>
    </message>
    <message>
        <source>Prompt: {count} tokens, {cached} of them still in memory</source>
        <translation>Eingabe: {count} Token, davon {cached} noch im Speicher</translation>
    </message>
    <message>
        <source>{count} tokens per pass</source>
        <translation>{count} Token je Durchgang</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guessed tokens accepted</source>
        <translation>{accepted} von {drafted} geratenen Token angenommen</translation>
    </message>
    <message>
        <source>about {energy} (estimate)</source>
        <translation>etwa {energy} (Schätzung)</translation>
    </message>
    <message>
        <source>Energy: {scope}, {method}</source>
        <translation>Energie: {scope}, {method}</translation>
    </message>
    <message>
        <source>{money} per million tokens</source>
        <translation>{money} je Million Token</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>von Ihnen angehalten</translation>
    </message>
    <message>
        <source>ended at the length limit</source>
        <translation>endete an der Längengrenze</translation>
    </message>
    <message>
        <source>edited by you</source>
        <translation>von Ihnen bearbeitet</translation>
    </message>
    <message>
        <source>The model ended the answer</source>
        <translation>Das Modell hat die Antwort beendet</translation>
    </message>
    <message>
        <source>Ended at a stop text</source>
        <translation>Endete an einem Stopptext</translation>
    </message>
    <message>
        <source>Ended at the length limit</source>
        <translation>Endete an der Längengrenze</translation>
    </message>
    <message>
        <source>Ended because the context was full</source>
        <translation>Endete, weil der Kontext voll war</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation>Von Ihnen angehalten</translation>
    </message>
</context>
<context>
    <name>exchange</name>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Slipstream conversation (*.json)</source>
        <translation>Slipstream-Unterhaltung (*.json)</translation>
    </message>
    <message>
        <source>Export conversation</source>
        <translation>Unterhaltung ausgeben</translation>
    </message>
    <message>
        <source>Import a conversation</source>
        <translation>Eine Unterhaltung einlesen</translation>
    </message>
    <message>
        <source>Slipstream conversation (*.json);;All files (*)</source>
        <translation>Slipstream-Unterhaltung (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>conversation</source>
        <translation>Unterhaltung</translation>
    </message>
</context>
<context>
    <name>guesses</name>
    <message>
        <source>Its next guess was refused: “{guess}”</source>
        <translation>Die nächste Vermutung wurde abgelehnt: „{guess}“</translation>
    </message>
    <message>
        <source>Guessed here and refused: “{guess}”</source>
        <translation>Hier geraten und abgelehnt: „{guess}“</translation>
    </message>
    <message>
        <source>Guessed by the draft model, accepted</source>
        <translation>Vom Entwurfsmodell geraten, angenommen</translation>
    </message>
    <message>
        <source>Guessed from the text so far, accepted</source>
        <translation>Aus dem bisherigen Text geraten, angenommen</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>No model is loaded. Open one first; your text is kept.</source>
        <translation>Kein Modell ist geladen. Öffnen Sie zuerst eines; Ihr Text bleibt.</translation>
    </message>
    <message>
        <source>Loading was stopped. Nothing is loaded now; your conversations are untouched.</source>
        <translation>Das Laden wurde angehalten. Jetzt ist nichts geladen; Ihre Unterhaltungen sind unberührt.</translation>
    </message>
    <message>
        <source>{path} could not be loaded: {reason}. Nothing else was changed. Check that the file is complete, or choose another model.</source>
        <translation>{path} konnte nicht geladen werden: {reason}. Sonst wurde nichts geändert. Prüfen Sie, ob die Datei vollständig ist, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>The draft {path} could not be loaded: {reason}. The target works without it. Choose another draft, or download this one again.</source>
        <translation>Der Entwurf {path} konnte nicht geladen werden: {reason}. Das Zielmodell arbeitet ohne ihn. Wählen Sie einen anderen Entwurf, oder laden Sie diesen noch einmal herunter.</translation>
    </message>
    <message>
        <source>{path} does not write text by itself (architecture {architecture}). Nothing was changed. Choose a chat model.</source>
        <translation>{path} schreibt von sich aus keinen Text (Architektur {architecture}). Nichts wurde geändert. Wählen Sie ein Chatmodell.</translation>
    </message>
    <message>
        <source>{path} does not write text by itself (architecture {architecture}), so it cannot draft. The target works without it. Choose a small chat model as the draft.</source>
        <translation>{path} schreibt von sich aus keinen Text (Architektur {architecture}) und kann darum nicht entwerfen. Das Zielmodell arbeitet ohne ihn. Wählen Sie ein kleines Chatmodell als Entwurf.</translation>
    </message>
    <message>
        <source>{path} is damaged: its weights give no usable numbers. Nothing is loaded now; your conversations are untouched. Download it again, or choose another model.</source>
        <translation>{path} ist beschädigt: seine Gewichte ergeben keine brauchbaren Zahlen. Jetzt ist nichts geladen; Ihre Unterhaltungen sind unberührt. Laden Sie es neu herunter, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>The draft {path} is damaged: its weights give no usable numbers. The target works without it. Download the draft again, or choose another.</source>
        <translation>Der Entwurf {path} ist beschädigt: seine Gewichte ergeben keine brauchbaren Zahlen. Das Zielmodell arbeitet ohne ihn. Laden Sie den Entwurf neu herunter, oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>There is not enough memory for a context of {n_ctx} tokens ({reason}). Nothing is loaded now; your conversations are untouched. Choose a shorter context or a smaller model, or close other programs.</source>
        <translation>Der Speicher reicht nicht für einen Kontext von {n_ctx} Token ({reason}). Jetzt ist nichts geladen; Ihre Unterhaltungen sind unberührt. Wählen Sie einen kürzeren Kontext oder ein kleineres Modell, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>A context of {n_ctx} tokens needs about {need_mb} MB of memory, and {free_mb} MB are free. Nothing is loaded now; your conversations are untouched. Choose a shorter context or a smaller model, or close other programs.</source>
        <translation>Ein Kontext von {n_ctx} Token braucht etwa {need_mb} MB Speicher, und {free_mb} MB sind frei. Jetzt ist nichts geladen; Ihre Unterhaltungen sind unberührt. Wählen Sie einen kürzeren Kontext oder ein kleineres Modell, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>None of the {count} engine parts in {folder} runs on this processor. Your conversations are safe. Install the app made for this kind of computer, or set it up once more here.</source>
        <translation>Keiner der {count} Engine-Teile in {folder} läuft auf diesem Prozessor. Ihre Unterhaltungen sind sicher. Installieren Sie die App für diese Art Computer, oder richten Sie sie hier noch einmal ein.</translation>
    </message>
    <message>
        <source>This model reads at most {n_ctx} tokens, so the context is {n_ctx} instead of {asked}.</source>
        <translation>Dieses Modell liest höchstens {n_ctx} Token, darum ist der Kontext {n_ctx} statt {asked}.</translation>
    </message>
    <message>
        <source>Memory is short, so the context is {n_ctx} tokens instead of {asked}.</source>
        <translation>Der Speicher ist knapp, darum ist der Kontext {n_ctx} Token statt {asked}.</translation>
    </message>
    <message>
        <source>Memory is short, so the draft was left out. Answers are the same, only slower to come.</source>
        <translation>Der Speicher ist knapp, darum wurde der Entwurf weggelassen. Die Antworten sind dieselben, sie kommen nur langsamer.</translation>
    </message>
    <message>
        <source>There is no room for the draft beside the target, even with a context of {n_ctx} tokens. The target works without it. Choose a smaller draft, or close other programs.</source>
        <translation>Neben dem Zielmodell ist kein Platz für den Entwurf, auch nicht mit einem Kontext von {n_ctx} Token. Das Zielmodell arbeitet ohne ihn. Wählen Sie einen kleineren Entwurf, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>The graphics memory is short, so {layers} of {of} layers are on the GPU and the rest on the CPU. Answers are the same, only slower to come.</source>
        <translation>Der Grafikspeicher ist knapp, darum sind {layers} von {of} Schichten auf der GPU und der Rest auf der CPU. Die Antworten sind dieselben, sie kommen nur langsamer.</translation>
    </message>
    <message>
        <source>This target ({architecture}) cannot take back tokens it has read, so nothing can be drafted for it. It answers one token at a time.</source>
        <translation>Dieses Zielmodell ({architecture}) kann gelesene Token nicht zurücknehmen, darum kann nichts für es entworfen werden. Es antwortet Token für Token.</translation>
    </message>
    <message>
        <source>This draft ({architecture}) cannot take back tokens it has read, so it cannot draft. The target works without it. Choose another draft.</source>
        <translation>Dieser Entwurf ({architecture}) kann gelesene Token nicht zurücknehmen, darum kann er nicht entwerfen. Das Zielmodell arbeitet ohne ihn. Wählen Sie einen anderen Entwurf.</translation>
    </message>
    <message>
        <source>Drafting with a model was asked for, but no draft is loaded. Nothing was lost. Load a draft, or choose lookup, auto or off.</source>
        <translation>Das Entwerfen mit einem Modell wurde verlangt, aber kein Entwurf ist geladen. Nichts ging verloren. Laden Sie einen Entwurf, oder wählen Sie Nachschlagen, Auto oder Aus.</translation>
    </message>
    <message>
        <source>With this pair, guessing ahead with the draft is slower on this computer than plain answering, so it is left off, but for a look now and then. Answers are the same.</source>
        <translation>Mit diesem Paar ist das Vorausraten mit dem Entwurfsmodell auf diesem Computer langsamer als das einfache Antworten. Es bleibt darum aus, bis auf einen Blick ab und zu. Die Antworten sind dieselben.</translation>
    </message>
    <message>
        <source>This model brings no chat template, so the {format} format is used. If its answers look odd, choose a model made for chat.</source>
        <translation>Dieses Modell bringt keine Chatvorlage mit, darum wird das Format {format} benutzt. Wirken seine Antworten seltsam, wählen Sie ein Modell, das zum Chatten gemacht ist.</translation>
    </message>
    <message>
        <source>This model&apos;s own chat template cannot be used ({reason}), so the {format} format is used instead. If its answers look odd, download a newer version of the model.</source>
        <translation>Die eigene Chatvorlage dieses Modells ist nicht brauchbar ({reason}), darum wird stattdessen das Format {format} benutzt. Wirken seine Antworten seltsam, laden Sie eine neuere Fassung des Modells herunter.</translation>
    </message>
    <message>
        <source>This text of {characters} characters could not be split into tokens. It is kept. Shorten it and send it again.</source>
        <translation>Dieser Text von {characters} Zeichen ließ sich nicht in Token zerlegen. Er bleibt erhalten. Kürzen Sie ihn und senden Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>The conversation is {prompt_tokens} tokens long and {fits} fit. Nothing was lost. Shorten your message, start a new conversation, or load the model with a longer context.</source>
        <translation>Die Unterhaltung ist {prompt_tokens} Token lang, und {fits} passen. Nichts ging verloren. Kürzen Sie Ihre Nachricht, beginnen Sie eine neue Unterhaltung, oder laden Sie das Modell mit längerem Kontext.</translation>
    </message>
    <message>
        <source>There is nothing to answer: the prompt is empty.</source>
        <translation>Es gibt nichts zu beantworten: die Eingabe ist leer.</translation>
    </message>
    <message>
        <source>What came on standard input is no text in UTF-8 ({reason}). Nothing was sent. Save it as UTF-8 and try again.</source>
        <translation>Was über die Standardeingabe kam, ist kein Text in UTF-8 ({reason}). Nichts wurde gesendet. Sichern Sie es als UTF-8 und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The prompt file {path} could not be read: {reason}. Check its name and that it is a text in UTF-8.</source>
        <translation>Die Eingabedatei {path} konnte nicht gelesen werden: {reason}. Prüfen Sie ihren Namen, und dass sie ein Text in UTF-8 ist.</translation>
    </message>
    <message>
        <source>A system prompt needs the chat template, which --raw switches off. Leave out one of the two.</source>
        <translation>Ein Systemprompt braucht die Chatvorlage, die --raw abschaltet. Lassen Sie eines von beiden weg.</translation>
    </message>
    <message>
        <source>{n_parallel} answers are already being written, as many as were allowed when the model was loaded. Wait for one to end.</source>
        <translation>{n_parallel} Antworten werden schon geschrieben, so viele, wie beim Laden des Modells erlaubt wurden. Warten Sie, bis eine endet.</translation>
    </message>
    <message>
        <source>The memory for all running answers together is full ({n_ctx} tokens). What was written is kept. Start a new conversation, or load the model with a longer context.</source>
        <translation>Der Speicher für alle laufenden Antworten zusammen ist voll ({n_ctx} Token). Was geschrieben war, bleibt. Beginnen Sie eine neue Unterhaltung, oder laden Sie das Modell mit längerem Kontext.</translation>
    </message>
    <message>
        <source>The model could not evaluate its input (status {status}). What was written is kept. Try again; if it happens again, load the model anew.</source>
        <translation>Das Modell konnte seine Eingabe nicht auswerten (Status {status}). Was geschrieben war, bleibt. Versuchen Sie es noch einmal; geschieht es wieder, laden Sie das Modell neu.</translation>
    </message>
    <message>
        <source>The {model} could not take back tokens it has read, so this answer was ended. What was written is kept. Switch speculation off for this model.</source>
        <translation>{model} konnte gelesene Token nicht zurücknehmen, darum wurde diese Antwort beendet. Was geschrieben war, bleibt. Schalten Sie die Spekulation für dieses Modell aus.</translation>
    </message>
    <message>
        <source>{depth} drafted tokens were asked for; 0 to {most} are possible.</source>
        <translation>{depth} entworfene Token wurden verlangt; möglich sind 0 bis {most}.</translation>
    </message>
    <message>
        <source>Measuring needs a quiet engine, and an answer is being written. Wait for it or stop it, then measure.</source>
        <translation>Messen braucht eine ruhige Engine, und gerade wird eine Antwort geschrieben. Warten Sie oder halten Sie sie an, dann messen Sie.</translation>
    </message>
    <message>
        <source>The chat template of {model} refuses this conversation: {reason}. Your text is kept. Edit the last message, start a new conversation, or open another model.</source>
        <translation>Die Chatvorlage von {model} lehnt diese Unterhaltung ab: {reason}. Ihr Text bleibt. Bearbeiten Sie die letzte Nachricht, beginnen Sie eine neue Unterhaltung, oder öffnen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>{path} is not a GGUF model file. Nothing was changed. Choose a file that ends in .gguf, or download it again: a sign-in page may have been saved under this name.</source>
        <translation>{path} ist keine GGUF-Modelldatei. Nichts wurde geändert. Wählen Sie eine Datei, die auf .gguf endet, oder laden Sie sie neu herunter: vielleicht wurde unter diesem Namen eine Anmeldeseite gesichert.</translation>
    </message>
    <message>
        <source>{path} is empty. Nothing was changed. Download it again.</source>
        <translation>{path} ist leer. Nichts wurde geändert. Laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>{path} is not there any more. Your other models are untouched. If it is on a drive that was unplugged, plug it in again; otherwise download it again.</source>
        <translation>{path} ist nicht mehr da. Ihre anderen Modelle sind unberührt. Liegt sie auf einem Laufwerk, das abgezogen wurde, stecken Sie es wieder an; sonst laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}. Nothing was changed. Check that you may open it, or copy it to another folder.</source>
        <translation>{path} kann nicht gelesen werden: {reason}. Nichts wurde geändert. Prüfen Sie, ob Sie sie öffnen dürfen, oder kopieren Sie sie in einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{path} is cut short: it has {have} bytes and needs at least {need}. Nothing was changed. Resume or repeat its download.</source>
        <translation>{path} ist abgeschnitten: die Datei hat {have} Bytes und braucht mindestens {need}. Nichts wurde geändert. Setzen Sie ihren Download fort oder wiederholen Sie ihn.</translation>
    </message>
    <message>
        <source>{path} is damaged: it claims {claimed} for {what}, and {limit} is the most that can be true. It was not opened. Download it again, from a source you trust.</source>
        <translation>{path} ist beschädigt: für {what} gibt die Datei {claimed} an, und {limit} ist das Höchste, was stimmen kann. Sie wurde nicht geöffnet. Laden Sie sie neu herunter, aus einer Quelle, der Sie trauen.</translation>
    </message>
    <message>
        <source>{path} is damaged ({what}). It was not opened. Download it again.</source>
        <translation>{path} ist beschädigt ({what}). Die Datei wurde nicht geöffnet. Laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>{path} has GGUF version {version}, or the wrong byte order; versions 2 and 3 can be read. Nothing was changed. Choose a newer conversion of this model.</source>
        <translation>{path} hat die GGUF-Version {version} oder die falsche Bytefolge; gelesen werden die Versionen 2 und 3. Nichts wurde geändert. Wählen Sie eine neuere Umwandlung dieses Modells.</translation>
    </message>
    <message>
        <source>{path} uses a number format (number {type}) that this version of the app does not know. Nothing was changed. Choose another quantisation, or update the app.</source>
        <translation>{path} benutzt ein Zahlenformat (Nummer {type}), das diese Version der App nicht kennt. Nichts wurde geändert. Wählen Sie eine andere Quantisierung, oder aktualisieren Sie die App.</translation>
    </message>
    <message>
        <source>{path} is not a language model by itself ({role}). Nothing was loaded. Choose the model file beside it as the target.</source>
        <translation>{path} ist für sich kein Sprachmodell ({role}). Nichts wurde geladen. Wählen Sie die Modelldatei daneben als Zielmodell.</translation>
    </message>
    <message>
        <source>{path} cannot draft by itself ({role}): it is a part of another model. Nothing was loaded. Choose a small model of the target&apos;s family as the draft.</source>
        <translation>{path} kann für sich nicht entwerfen ({role}): es ist ein Teil eines anderen Modells. Nichts wurde geladen. Wählen Sie ein kleines Modell aus der Familie des Zielmodells als Entwurf.</translation>
    </message>
    <message>
        <source>{path} has no vocabulary that this version of the app knows (&quot;{model}&quot;). Nothing was loaded. Choose another file of this model, or update the app.</source>
        <translation>{path} hat kein Vokabular, das diese Version der App kennt („{model}“). Nichts wurde geladen. Wählen Sie eine andere Datei dieses Modells, oder aktualisieren Sie die App.</translation>
    </message>
    <message>
        <source>{path} has no vocabulary that this version of the app knows (&quot;{model}&quot;), so it cannot draft. The target works without it. Choose another draft.</source>
        <translation>{path} hat kein Vokabular, das diese Version der App kennt („{model}“), und kann darum nicht entwerfen. Das Zielmodell arbeitet ohne ihn. Wählen Sie einen anderen Entwurf.</translation>
    </message>
    <message>
        <source>These two cut text into tokens in different ways: the target&apos;s vocabulary is {target}, the draft&apos;s {draft}. The target works without a draft. Choose a draft of the target&apos;s own family.</source>
        <translation>Diese beiden zerlegen Text verschieden in Token: das Vokabular des Zielmodells ist {target}, das des Entwurfs {draft}. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The target starts every text with a special token (number {id}) and the draft does not. The target works without a draft. Choose another file of the draft, or a draft of the target&apos;s own family.</source>
        <translation>Das Zielmodell beginnt jeden Text mit einem besonderen Token (Nummer {id}), der Entwurf nicht. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie eine andere Datei des Entwurfs, oder einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The draft starts every text with a special token (number {id}) and the target does not. The target works without a draft. Choose another file of the draft, or a draft of the target&apos;s own family.</source>
        <translation>Der Entwurf beginnt jeden Text mit einem besonderen Token (Nummer {id}), das Zielmodell nicht. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie eine andere Datei des Entwurfs, oder einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The target starts every text with token {target}, the draft with token {draft}. The target works without a draft. Choose a draft of the target&apos;s own family.</source>
        <translation>Das Zielmodell beginnt jeden Text mit Token {target}, der Entwurf mit Token {draft}. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The target ends every text with a special token (number {id}) and the draft does not. The target works without a draft. Choose another file of the draft, or a draft of the target&apos;s own family.</source>
        <translation>Das Zielmodell beendet jeden Text mit einem besonderen Token (Nummer {id}), der Entwurf nicht. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie eine andere Datei des Entwurfs, oder einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The draft ends every text with a special token (number {id}) and the target does not. The target works without a draft. Choose another file of the draft, or a draft of the target&apos;s own family.</source>
        <translation>Der Entwurf beendet jeden Text mit einem besonderen Token (Nummer {id}), das Zielmodell nicht. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie eine andere Datei des Entwurfs, oder einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The target ends every text with token {target}, the draft with token {draft}. The target works without a draft. Choose a draft of the target&apos;s own family.</source>
        <translation>Das Zielmodell beendet jeden Text mit Token {target}, der Entwurf mit Token {draft}. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The target has {target} tokens and the draft {draft}; they may differ by {limit} at most. The target works without a draft. Choose a draft of the target&apos;s own family.</source>
        <translation>Das Zielmodell hat {target} Token und der Entwurf {draft}; sie dürfen sich höchstens um {limit} unterscheiden. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>Token {token} is &apos;{target}&apos; in the target and &apos;{draft}&apos; in the draft, so the draft would guess other words than it means. The target works without a draft. Choose a draft of the target&apos;s own family.</source>
        <translation>Token {token} ist &apos;{target}&apos; im Zielmodell und &apos;{draft}&apos; im Entwurf, der darum andere Wörter raten würde, als er meint. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf aus der Familie des Zielmodells.</translation>
    </message>
    <message>
        <source>The draft is not smaller than the target ({draft} against {target} million parameters), so it could not be faster. The target works without a draft. Choose a draft of about a tenth of the target.</source>
        <translation>Der Entwurf ist nicht kleiner als das Zielmodell ({draft} gegen {target} Millionen Parameter), er könnte also nicht schneller sein. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf von etwa einem Zehntel des Zielmodells.</translation>
    </message>
    <message>
        <source>The draft&apos;s file is not smaller than the target&apos;s ({draft} against {target} MB), so it could not be faster. The target works without a draft. Choose a draft of about a tenth of the target.</source>
        <translation>Die Datei des Entwurfs ist nicht kleiner als die des Zielmodells ({draft} gegen {target} MB), er könnte also nicht schneller sein. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf von etwa einem Zehntel des Zielmodells.</translation>
    </message>
    <message>
        <source>{path} cannot take back words it has read (architecture {model}), and a draft must do so at every wrong guess. The target works without a draft. Choose a draft of another architecture.</source>
        <translation>{path} kann gelesene Wörter nicht zurücknehmen (Architektur {model}), und das muss ein Entwurf bei jeder falschen Vermutung. Das Zielmodell arbeitet ohne Entwurf. Wählen Sie einen Entwurf anderer Architektur.</translation>
    </message>
    <message>
        <source>The draft has {percent} % of the target&apos;s size: usually not worth it. About a tenth is best.</source>
        <translation>Der Entwurf hat {percent} % der Größe des Zielmodells: das lohnt sich meist nicht. Etwa ein Zehntel ist am besten.</translation>
    </message>
    <message>
        <source>The draft has {percent} % of the target&apos;s size and may not help. About a tenth is best.</source>
        <translation>Der Entwurf hat {percent} % der Größe des Zielmodells und hilft vielleicht nicht. Etwa ein Zehntel ist am besten.</translation>
    </message>
    <message>
        <source>The target uses a few of its experts for each token (MoE), so it is fast already and checking guesses is dear: usually not worth it.</source>
        <translation>Das Zielmodell benutzt für jedes Token nur einige seiner Experten (MoE), darum ist es schon schnell, und das Prüfen von Vermutungen ist teuer: das lohnt sich meist nicht.</translation>
    </message>
    <message>
        <source>The target has {billions} billion parameters and is fast already: usually not worth it.</source>
        <translation>Das Zielmodell hat {billions} Milliarden Parameter und ist schon schnell: das lohnt sich meist nicht.</translation>
    </message>
    <message>
        <source>The draft is stored very coarsely ({quantisation}); its guesses are accepted less often. Q4_K_M or Q8_0 is better.</source>
        <translation>Der Entwurf ist sehr grob gespeichert ({quantisation}); seine Vermutungen werden seltener angenommen. Q4_K_M oder Q8_0 ist besser.</translation>
    </message>
    <message>
        <source>The draft is stored in full ({quantisation}); Q8_0 guesses as well and is faster.</source>
        <translation>Der Entwurf ist in voller Genauigkeit gespeichert ({quantisation}); Q8_0 rät ebenso gut und ist schneller.</translation>
    </message>
    <message>
        <source>The target cannot take back words it has read (architecture {model}), so it will probably run without a draft.</source>
        <translation>Das Zielmodell kann gelesene Wörter nicht zurücknehmen (Architektur {model}), darum läuft es wahrscheinlich ohne Entwurf.</translation>
    </message>
    <message>
        <source>The target keeps snapshots of its state to take back wrong guesses (architecture {model}); this needs more memory.</source>
        <translation>Das Zielmodell hält Abbilder seines Zustands, um falsche Vermutungen zurückzunehmen (Architektur {model}); das braucht mehr Speicher.</translation>
    </message>
    <message>
        <source>The estimate is rough: this version of the app does not know how this kind of model uses memory. After loading, the measured sizes are shown.</source>
        <translation>Die Schätzung ist grob: diese Version der App weiß nicht, wie diese Art Modell Speicher benutzt. Nach dem Laden werden die gemessenen Größen gezeigt.</translation>
    </message>
    <message>
        <source>The working memory of a model with experts (MoE) is estimated roughly; its weights and conversation memory are exact.</source>
        <translation>Der Arbeitsspeicher eines Modells mit Experten (MoE) ist grob geschätzt; seine Gewichte und der Speicher der Unterhaltung sind genau.</translation>
    </message>
    <message>
        <source>The estimate is rough: only the size of the file is known, not what lies in it.</source>
        <translation>Die Schätzung ist grob: bekannt ist nur die Größe der Datei, nicht, was in ihr liegt.</translation>
    </message>
    <message>
        <source>The estimate is too low: this is one part of a model in several files, and the sizes of the others are not known.</source>
        <translation>Die Schätzung ist zu niedrig: dies ist ein Teil eines Modells aus mehreren Dateien, und die Größen der anderen sind nicht bekannt.</translation>
    </message>
    <message>
        <source>{host} cannot be reached. What arrived is kept. Check the network connection, then resume.</source>
        <translation>{host} ist nicht erreichbar. Was angekommen ist, bleibt. Prüfen Sie die Netzverbindung, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>The name {host} cannot be found. What arrived is kept. Check the network connection, then resume.</source>
        <translation>Der Name {host} ist nicht zu finden. Was angekommen ist, bleibt. Prüfen Sie die Netzverbindung, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>The proxy {proxy} does not let us through to {host}. What arrived is kept. Check the proxy in the system&apos;s network settings, then resume.</source>
        <translation>Der Proxy {proxy} lässt uns nicht zu {host} durch. Was angekommen ist, bleibt. Prüfen Sie den Proxy in den Netzeinstellungen des Systems, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>{host} could not prove who it is, so nothing was sent to it. On company networks the proxy&apos;s certificate may be missing on this computer: ask who runs the network.</source>
        <translation>{host} konnte sich nicht ausweisen, darum wurde nichts dorthin gesendet. In Firmennetzen fehlt auf diesem Computer vielleicht das Zertifikat des Proxys: fragen Sie, wer das Netz betreut.</translation>
    </message>
    <message>
        <source>The address of the Hub is not a valid one ({host}). Nothing was changed. Correct it in HF_ENDPOINT.</source>
        <translation>Die Adresse des Hubs ist nicht gültig ({host}). Nichts wurde geändert. Berichtigen Sie sie in HF_ENDPOINT.</translation>
    </message>
    <message>
        <source>The connection broke off several times. What arrived is kept. Resume to go on from there.</source>
        <translation>Die Verbindung brach mehrmals ab. Was angekommen ist, bleibt. Setzen Sie fort, um von dort weiterzumachen.</translation>
    </message>
    <message>
        <source>{host} has stopped sending. What arrived is kept. Resume to go on from there.</source>
        <translation>{host} sendet nichts mehr. Was angekommen ist, bleibt. Setzen Sie fort, um von dort weiterzumachen.</translation>
    </message>
    <message>
        <source>{host} has trouble of its own (error {status}). What arrived is kept. Try again in a few minutes.</source>
        <translation>{host} hat selbst Schwierigkeiten (Fehler {status}). Was angekommen ist, bleibt. Versuchen Sie es in ein paar Minuten noch einmal.</translation>
    </message>
    <message>
        <source>{host} asks for a pause because of too many requests. What arrived is kept. Try again later; with an access token the limit is higher.</source>
        <translation>{host} bittet um eine Pause, weil es zu viele Anfragen waren. Was angekommen ist, bleibt. Versuchen Sie es später; mit einem Zugangstoken ist die Grenze höher.</translation>
    </message>
    <message>
        <source>The storage behind the Hub refuses to send {name} (error {status}). What arrived is kept. Try again in a few minutes.</source>
        <translation>Der Speicher hinter dem Hub weigert sich, {name} zu senden (Fehler {status}). Was angekommen ist, bleibt. Versuchen Sie es in ein paar Minuten noch einmal.</translation>
    </message>
    <message>
        <source>{repo} does not exist, or only some people may see it. If you are one of them, paste your access token under Models; else check the name.</source>
        <translation>{repo} gibt es nicht, oder nur manche dürfen es sehen. Gehören Sie dazu, fügen Sie Ihr Zugangstoken unter „Modelle“ ein; sonst prüfen Sie den Namen.</translation>
    </message>
    <message>
        <source>No access token is set. Create one on the Hub&apos;s website and paste it under Models.</source>
        <translation>Kein Zugangstoken ist hinterlegt. Erzeugen Sie eines auf der Website des Hubs und fügen Sie es unter „Modelle“ ein.</translation>
    </message>
    <message>
        <source>{host} does not accept the access token: it may have been revoked. What arrived is kept. Paste a new one under Models.</source>
        <translation>{host} nimmt das Zugangstoken nicht an: vielleicht wurde es widerrufen. Was angekommen ist, bleibt. Fügen Sie unter „Modelle“ ein neues ein.</translation>
    </message>
    <message>
        <source>This cannot be an access token. Nothing was saved. Copy the whole token from the Hub&apos;s website and paste it again.</source>
        <translation>Das kann kein Zugangstoken sein. Nichts wurde gesichert. Kopieren Sie das ganze Token von der Website des Hubs und fügen Sie es noch einmal ein.</translation>
    </message>
    <message>
        <source>The makers of {repo} want you to accept their licence first. Open {page}, accept it, then paste your access token under Models and resume.</source>
        <translation>Die Urheber von {repo} möchten, dass Sie zuerst ihre Lizenz annehmen. Öffnen Sie {page}, nehmen Sie sie an, fügen Sie dann Ihr Zugangstoken unter „Modelle“ ein und setzen Sie fort.</translation>
    </message>
    <message>
        <source>The makers of {repo} want you to accept their licence first. Open {page}, accept it with the account of your access token, then resume.</source>
        <translation>Die Urheber von {repo} möchten, dass Sie zuerst ihre Lizenz annehmen. Öffnen Sie {page}, nehmen Sie sie mit dem Konto Ihres Zugangstokens an, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>{host} does not allow this download. Your access token may lack the right to read {repo}: check it on the Hub&apos;s website.</source>
        <translation>{host} erlaubt diesen Download nicht. Vielleicht fehlt Ihrem Zugangstoken das Recht, {repo} zu lesen: prüfen Sie es auf der Website des Hubs.</translation>
    </message>
    <message>
        <source>{host} refused the request (error {status}). Nothing was changed. Try again later.</source>
        <translation>{host} hat die Anfrage abgelehnt (Fehler {status}). Nichts wurde geändert. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>There is no repository {repo}, or your access token may not see it. Nothing was changed. Check the name.</source>
        <translation>Es gibt kein Repository {repo}, oder Ihr Zugangstoken darf es nicht sehen. Nichts wurde geändert. Prüfen Sie den Namen.</translation>
    </message>
    <message>
        <source>{repo} is not a repository&apos;s name. Nothing was changed. Names look like owner/model.</source>
        <translation>{repo} ist kein Name eines Repositorys. Nichts wurde geändert. Namen sehen aus wie besitzer/modell.</translation>
    </message>
    <message>
        <source>{name} is not in {repo}. It may have been renamed: look at {page} and choose another file.</source>
        <translation>{name} ist nicht in {repo}. Vielleicht wurde es umbenannt: sehen Sie auf {page} nach und wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>This version of {repo} is no longer there. What arrived is kept, but cannot be completed: remove the download and start it again.</source>
        <translation>Diese Fassung von {repo} gibt es nicht mehr. Was angekommen ist, bleibt, kann aber nicht vollständig werden: entfernen Sie den Download und beginnen Sie ihn neu.</translation>
    </message>
    <message>
        <source>{repo} holds no model in the GGUF format, which this app needs. Nothing was changed. Search for the same name with GGUF.</source>
        <translation>{repo} enthält kein Modell im Format GGUF, das diese App braucht. Nichts wurde geändert. Suchen Sie denselben Namen mit GGUF.</translation>
    </message>
    <message>
        <source>The server cannot send {name} in pieces, and breaks off when it sends it whole. Try again, or choose another source.</source>
        <translation>Der Server kann {name} nicht in Stücken senden und bricht ab, wenn er es am Stück sendet. Versuchen Sie es noch einmal, oder wählen Sie eine andere Quelle.</translation>
    </message>
    <message>
        <source>The server says that {name} has {have} bytes, but it should have {need}. What arrived was removed. Start again later or choose another source.</source>
        <translation>Der Server sagt, {name} habe {have} Bytes, es sollten aber {need} sein. Was angekommen war, wurde entfernt. Beginnen Sie später neu, oder wählen Sie eine andere Quelle.</translation>
    </message>
    <message>
        <source>{host} sent a web page instead of {name}. This network may want you to log in first: open any page in the browser, then resume.</source>
        <translation>{host} hat statt {name} eine Webseite gesendet. Vielleicht möchte dieses Netz, dass Sie sich zuerst anmelden: öffnen Sie eine beliebige Seite im Browser, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>What the server sends as {name} is not a model. It was not kept. Choose another file.</source>
        <translation>Was der Server als {name} sendet, ist kein Modell. Es wurde nicht behalten. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>The answer of {host} makes no sense. What arrived is kept. Try again later.</source>
        <translation>Die Antwort von {host} ergibt keinen Sinn. Was angekommen ist, bleibt. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>{host} does not answer as a model Hub does. Nothing was changed. Check HF_ENDPOINT, or whether this network wants you to log in first.</source>
        <translation>{host} antwortet nicht wie ein Modell-Hub. Nichts wurde geändert. Prüfen Sie HF_ENDPOINT, oder ob dieses Netz eine Anmeldung verlangt.</translation>
    </message>
    <message>
        <source>{host} sends us somewhere we will not go. Nothing was sent there. Try again later or choose another source.</source>
        <translation>{host} schickt uns an einen Ort, an den wir nicht gehen. Nichts wurde dorthin gesendet. Versuchen Sie es später noch einmal, oder wählen Sie eine andere Quelle.</translation>
    </message>
    <message>
        <source>The environment says not to use the network (HF_HUB_OFFLINE). Nothing was changed. Remove that setting to download.</source>
        <translation>Die Umgebung sagt, das Netz sei nicht zu benutzen (HF_HUB_OFFLINE). Nichts wurde geändert. Entfernen Sie diese Einstellung, um herunterzuladen.</translation>
    </message>
    <message>
        <source>{name} changed on the server while it was being downloaded. What had arrived was removed. Start again to get the new version.</source>
        <translation>{name} hat sich auf dem Server geändert, während es geladen wurde. Was angekommen war, wurde entfernt. Beginnen Sie neu, um die neue Fassung zu bekommen.</translation>
    </message>
    <message>
        <source>{name} arrived damaged: its checksum is wrong. It was removed. Start the download again; if it happens twice, choose another source.</source>
        <translation>{name} kam beschädigt an: die Prüfsumme stimmt nicht. Es wurde entfernt. Beginnen Sie den Download neu; geschieht es zweimal, wählen Sie eine andere Quelle.</translation>
    </message>
    <message>
        <source>{name} is already being downloaded by another window. Nothing was changed. Wait for it, or stop it there.</source>
        <translation>{name} wird schon von einem anderen Fenster geladen. Nichts wurde geändert. Warten Sie darauf, oder halten Sie es dort an.</translation>
    </message>
    <message>
        <source>The download is paused. What arrived is kept. Resume it whenever you like.</source>
        <translation>Der Download macht Pause. Was angekommen ist, bleibt. Setzen Sie ihn fort, wann immer Sie möchten.</translation>
    </message>
    <message>
        <source>The download was cancelled and what had arrived removed.</source>
        <translation>Der Download wurde abgebrochen, und was angekommen war, entfernt.</translation>
    </message>
    <message>
        <source>The download stopped for a reason we did not foresee ({reason}). What arrived is kept. Resume to try again; the log has the details.</source>
        <translation>Der Download hielt aus einem Grund an, den wir nicht vorhergesehen haben ({reason}). Was angekommen ist, bleibt. Setzen Sie fort, um es noch einmal zu versuchen; im Protokoll steht Näheres.</translation>
    </message>
    <message>
        <source>There is not enough room in {folder}: {need} are needed, {have} are free. Nothing was downloaded. Free some space or choose another folder.</source>
        <translation>In {folder} ist nicht genug Platz: {need} sind nötig, {have} sind frei. Nichts wurde heruntergeladen. Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The disk became full while {name} was being written. What arrived is kept. Free some space, then resume.</source>
        <translation>Die Platte wurde voll, während {name} geschrieben wurde. Was angekommen ist, bleibt. Schaffen Sie Platz, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>The disk of {folder} cannot hold a file as large as {name}: it is probably formatted as FAT32. Choose a folder on another disk.</source>
        <translation>Die Platte von {folder} kann keine so große Datei wie {name} aufnehmen: sie ist wahrscheinlich mit FAT32 formatiert. Wählen Sie einen Ordner auf einer anderen Platte.</translation>
    </message>
    <message>
        <source>{folder} cannot be written to ({reason}). What arrived is kept. Change its permissions or choose another folder.</source>
        <translation>In {folder} kann nicht geschrieben werden ({reason}). Was angekommen ist, bleibt. Ändern Sie die Rechte, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{folder} is not there any more. Connect its disk again, or choose another folder.</source>
        <translation>{folder} ist nicht mehr da. Schließen Sie die Platte wieder an, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Writing {name} failed: {reason}. What arrived is kept. Check the disk, then resume.</source>
        <translation>Das Schreiben von {name} schlug fehl: {reason}. Was angekommen ist, bleibt. Prüfen Sie die Platte, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>{name} is complete but cannot replace the older file, which is in use. Unload that model, then resume.</source>
        <translation>{name} ist vollständig, kann aber die ältere Datei nicht ersetzen, die in Gebrauch ist. Entladen Sie das Modell, dann setzen Sie fort.</translation>
    </message>
    <message>
        <source>The name {name} could be harmful on this computer, so nothing was downloaded. Choose another source.</source>
        <translation>Der Name {name} könnte diesem Computer schaden, darum wurde nichts heruntergeladen. Wählen Sie eine andere Quelle.</translation>
    </message>
    <message>
        <source>The list of recommended pairs cannot be read ({where}). Your models are untouched. Install the app again.</source>
        <translation>Die Liste der empfohlenen Paare kann nicht gelesen werden ({where}). Ihre Modelle sind unberührt. Installieren Sie die App noch einmal.</translation>
    </message>
    <message>
        <source>{path} belongs to another program, so it was not deleted. Delete it there.</source>
        <translation>{path} gehört einem anderen Programm, darum wurde es nicht gelöscht. Löschen Sie es dort.</translation>
    </message>
    <message>
        <source>{path} could not be deleted: {reason}. Unload the model if it is in use, then try again.</source>
        <translation>{path} konnte nicht gelöscht werden: {reason}. Entladen Sie das Modell, falls es in Gebrauch ist, dann versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{path} is not a GGUF model. Nothing was changed. Choose another file.</source>
        <translation>{path} ist kein GGUF-Modell. Nichts wurde geändert. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>This model was split, and parts of it are missing: {parts}. Nothing was changed. Put them beside {path} and try again.</source>
        <translation>Dieses Modell wurde aufgeteilt, und Teile davon fehlen: {parts}. Nichts wurde geändert. Legen Sie sie neben {path} und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{path} is already there. Nothing was changed. Delete the old one first, or rename the new one.</source>
        <translation>{path} ist schon da. Nichts wurde geändert. Löschen Sie zuerst die alte Datei, oder benennen Sie die neue um.</translation>
    </message>
    <message>
        <source>A link to {path} cannot be made here. Nothing was changed. Copy the file instead.</source>
        <translation>Eine Verknüpfung auf {path} lässt sich hier nicht anlegen. Nichts wurde geändert. Kopieren Sie die Datei stattdessen.</translation>
    </message>
    <message>
        <source>{path} could not be brought in: {reason}. The original is untouched. Check the folder and try again.</source>
        <translation>{path} konnte nicht übernommen werden: {reason}. Das Original ist unberührt. Prüfen Sie den Ordner und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{title} needs {need} of the {have} free ({device}) and should answer faster than you read.</source>
        <translation>{title} braucht {need} von {have} freiem Speicher ({device}) und sollte schneller antworten, als Sie lesen.</translation>
    </message>
    <message>
        <source>{title} needs {need} of the {have} free ({device}), with a context of {context} tokens; a longer one does not fit.</source>
        <translation>{title} braucht {need} von {have} freiem Speicher ({device}), mit einem Kontext von {context} Token; ein längerer passt nicht.</translation>
    </message>
    <message>
        <source>{title} needs {need} of the {have} free ({device}). It is the quickest that fits; expect about {pace} words a second or less.</source>
        <translation>{title} braucht {need} von {have} freiem Speicher ({device}). Es ist das schnellste, das passt; rechnen Sie mit etwa {pace} Wörtern je Sekunde oder weniger.</translation>
    </message>
    <message>
        <source>No pair fits: the smallest, {title}, needs {need}, and {have} are free. Close other programs and look again, or use a model you have.</source>
        <translation>Kein Paar passt: das kleinste, {title}, braucht {need}, und {have} sind frei. Schließen Sie andere Programme und sehen Sie noch einmal nach, oder nehmen Sie ein Modell, das Sie haben.</translation>
    </message>
    <message>
        <source>No pair is listed for this purpose. Search for a model instead.</source>
        <translation>Für diesen Zweck ist kein Paar verzeichnet. Suchen Sie stattdessen ein Modell.</translation>
    </message>
    <message>
        <source>{title} is the next smaller choice and saves {saved} of disk and memory.</source>
        <translation>{title} ist die nächstkleinere Wahl und spart {saved} an Platte und Speicher.</translation>
    </message>
    <message>
        <source>{title} is the next larger choice; it needs {need}, {short} more than is free.</source>
        <translation>{title} ist die nächstgrößere Wahl; sie braucht {need}, {short} mehr, als frei ist.</translation>
    </message>
    <message>
        <source>{title} is the next larger choice; it fits, but is likely to answer more slowly than you read (about {pace} tokens a second before drafting).</source>
        <translation>{title} ist die nächstgrößere Wahl; sie passt, antwortet aber wohl langsamer, als Sie lesen (etwa {pace} Token je Sekunde ohne Vorausraten).</translation>
    </message>
    <message>
        <source>{title} is the next larger choice; it fits, but gains less from its draft.</source>
        <translation>{title} ist die nächstgrößere Wahl; sie passt, gewinnt aber weniger durch ihren Entwurf.</translation>
    </message>
    <message>
        <source>This needs about {need} of memory, and {free} are free: it may not load, or be very slow. Your conversations are safe. Choose a smaller model, or close other programs first.</source>
        <translation>Das braucht etwa {need} Speicher, und {free} sind frei: vielleicht lädt es nicht, oder es wird sehr langsam. Ihre Unterhaltungen sind sicher. Wählen Sie ein kleineres Modell, oder schließen Sie zuerst andere Programme.</translation>
    </message>
    <message>
        <source>This needs about {need} of memory, and {free} are free on the graphics card. The rest goes to the processor, which is slower. A smaller model would answer faster.</source>
        <translation>Das braucht etwa {need} Speicher, und {free} sind auf der Grafikkarte frei. Der Rest geht an den Prozessor, der langsamer ist. Ein kleineres Modell würde schneller antworten.</translation>
    </message>
    <message>
        <source>A context of {asked} tokens would leave too little memory free, so it is {n_ctx}. Close other programs or choose a smaller model for a longer one.</source>
        <translation>Ein Kontext von {asked} Token ließe zu wenig Speicher frei, darum ist er {n_ctx}. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell für einen längeren.</translation>
    </message>
    <message>
        <source>{repo} holds several models. Nothing was downloaded. Add one of these to its name: {names}.</source>
        <translation>{repo} enthält mehrere Modelle. Nichts wurde heruntergeladen. Hängen Sie eines davon an seinen Namen: {names}.</translation>
    </message>
    <message>
        <source>This did not work for a reason we did not foresee ({reason}). Your models are untouched. Try again; the log has the details.</source>
        <translation>Das gelang aus einem Grund nicht, den wir nicht vorhergesehen haben ({reason}). Ihre Modelle sind unberührt. Versuchen Sie es noch einmal; im Protokoll steht Näheres.</translation>
    </message>
    <message>
        <source>{name} is neither a pair of the list, a file on this computer nor a name such as owner/model/file.gguf. Nothing was changed. See the list with: models recommend.</source>
        <translation>{name} ist weder ein Paar der Liste, noch eine Datei auf diesem Computer, noch ein Name wie besitzer/modell/datei.gguf. Nichts wurde geändert. Die Liste zeigt: models recommend.</translation>
    </message>
    <message>
        <source>The disk is full, so the newest text could not be saved. It is kept in memory and saved as soon as there is room: free some space on the disk of {path} before closing the app.</source>
        <translation>Die Platte ist voll, darum konnte der neueste Text nicht gesichert werden. Er bleibt im Speicher und wird gesichert, sobald Platz ist: schaffen Sie Platz auf der Platte von {path}, bevor Sie die App schließen.</translation>
    </message>
    <message>
        <source>The file with your conversations is damaged: {path}. Nothing was overwritten. Restart the app: it keeps the damaged file under another name and begins a new one.</source>
        <translation>Die Datei mit Ihren Unterhaltungen ist beschädigt: {path}. Nichts wurde überschrieben. Starten Sie die App neu: sie behält die beschädigte Datei unter anderem Namen und beginnt eine neue.</translation>
    </message>
    <message>
        <source>The file with your conversations was damaged. It is kept as {path}, unchanged, and a new one was begun. If you have a backup, put it back while the app is closed.</source>
        <translation>Die Datei mit Ihren Unterhaltungen war beschädigt. Sie wird unverändert als {path} behalten, und eine neue wurde begonnen. Haben Sie eine Sicherung, legen Sie sie zurück, während die App geschlossen ist.</translation>
    </message>
    <message>
        <source>Your conversations in {path} were saved by a newer Slipstream (format {found}, this one knows {known}). They were left as they are. Install the newer version to open them.</source>
        <translation>Ihre Unterhaltungen in {path} wurden von einem neueren Slipstream gesichert (Format {found}, dieses kennt {known}). Sie blieben, wie sie sind. Installieren Sie die neuere Version, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>Another program is using the file with your conversations: {path}. Nothing was changed. Close the other Slipstream window, or wait a moment, and try again.</source>
        <translation>Ein anderes Programm benutzt die Datei mit Ihren Unterhaltungen: {path}. Nichts wurde geändert. Schließen Sie das andere Slipstream-Fenster, oder warten Sie einen Augenblick, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The file with your conversations cannot be used: {path} ({reason}). Nothing was changed. Check that the folder is there and that you may write to it.</source>
        <translation>Die Datei mit Ihren Unterhaltungen ist nicht benutzbar: {path} ({reason}). Nichts wurde geändert. Prüfen Sie, ob der Ordner da ist und Sie in ihn schreiben dürfen.</translation>
    </message>
    <message>
        <source>This conversation was deleted, perhaps in another window.</source>
        <translation>Diese Unterhaltung wurde gelöscht, vielleicht in einem anderen Fenster.</translation>
    </message>
    <message>
        <source>This file is not a conversation that this version of Slipstream can read. Nothing was imported. Choose a JSON file that Slipstream exported.</source>
        <translation>Diese Datei ist keine Unterhaltung, die diese Version von Slipstream lesen kann. Nichts wurde eingelesen. Wählen Sie eine JSON-Datei, die Slipstream ausgegeben hat.</translation>
    </message>
    <message>
        <source>There is nothing to compare yet. Write a message first, or ask something.</source>
        <translation>Es gibt noch nichts zu vergleichen. Schreiben Sie zuerst eine Nachricht, oder fragen Sie etwas.</translation>
    </message>
    <message>
        <source>{path} has {have} MB, and at most {most} MB of text go along with a message. Nothing was attached. Attach a part of it.</source>
        <translation>{path} hat {have} MB, und höchstens {most} MB Text gehen mit einer Nachricht. Nichts wurde angehängt. Hängen Sie einen Teil davon an.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}). Nothing was attached. Check the file&apos;s permissions.</source>
        <translation>{path} kann nicht gelesen werden ({reason}). Nichts wurde angehängt. Prüfen Sie die Rechte der Datei.</translation>
    </message>
    <message>
        <source>{path} is no text file. Nothing was attached. The model reads text only: save it as text first.</source>
        <translation>{path} ist keine Textdatei. Nichts wurde angehängt. Das Modell liest nur Text: sichern Sie sie zuerst als Text.</translation>
    </message>
    <message>
        <source>The conversation could not be written to {path} ({reason}). It is still here, unchanged. Choose another folder, or free some space.</source>
        <translation>Die Unterhaltung konnte nicht nach {path} geschrieben werden ({reason}). Sie ist noch hier, unverändert. Wählen Sie einen anderen Ordner, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}). Nothing was imported. Check the file&apos;s permissions.</source>
        <translation>{path} kann nicht gelesen werden ({reason}). Nichts wurde eingelesen. Prüfen Sie die Rechte der Datei.</translation>
    </message>
    <message>
        <source>{path} is larger than any conversation ({have} MB). Nothing was imported. Choose a JSON file that Slipstream exported.</source>
        <translation>{path} ist größer als jede Unterhaltung ({have} MB). Nichts wurde eingelesen. Wählen Sie eine JSON-Datei, die Slipstream ausgegeben hat.</translation>
    </message>
    <message>
        <source>The folder {path} cannot be used ({reason}). Check that it may be written to, and that no file of that name is in its place.</source>
        <translation>Der Ordner {path} ist nicht benutzbar ({reason}). Prüfen Sie, ob in ihn geschrieben werden darf und keine Datei dieses Namens an seiner Stelle liegt.</translation>
    </message>
    <message>
        <source>The settings in {path} cannot be read ({reason}). They were left as they are. Check the file&apos;s permissions; until then the usual settings are used.</source>
        <translation>Die Einstellungen in {path} können nicht gelesen werden ({reason}). Sie blieben, wie sie sind. Prüfen Sie die Rechte der Datei; bis dahin gelten die üblichen Einstellungen.</translation>
    </message>
    <message>
        <source>The settings could not be saved to {path} ({reason}). The old ones are still there. Free some space or check the folder&apos;s permissions, then change a setting again.</source>
        <translation>Die Einstellungen konnten nicht nach {path} gesichert werden ({reason}). Die alten sind noch da. Schaffen Sie Platz oder prüfen Sie die Rechte des Ordners, dann ändern Sie noch einmal eine Einstellung.</translation>
    </message>
    <message>
        <source>There is nothing to send yet. Type a message.</source>
        <translation>Es gibt noch nichts zu senden. Schreiben Sie eine Nachricht.</translation>
    </message>
    <message>
        <source>There is no question to answer here. Type a message first.</source>
        <translation>Hier gibt es keine Frage zu beantworten. Schreiben Sie zuerst eine Nachricht.</translation>
    </message>
    <message>
        <source>This conversation is longer than the context, so its oldest messages are no longer given to the model. They stay here. Open the model with a longer context to use all of them.</source>
        <translation>Diese Unterhaltung ist länger als der Kontext, darum bekommt das Modell ihre ältesten Nachrichten nicht mehr. Hier bleiben sie. Öffnen Sie das Modell mit längerem Kontext, um alle zu nutzen.</translation>
    </message>
    <message>
        <source>An answer is still being written here. Stop it or wait for its end; your text is kept.</source>
        <translation>Hier wird noch eine Antwort geschrieben. Halten Sie sie an oder warten Sie auf ihr Ende; Ihr Text bleibt.</translation>
    </message>
    <message>
        <source>The model is busy with an answer in another conversation. Wait for its end or stop it there; your text is kept.</source>
        <translation>Das Modell ist mit einer Antwort in einer anderen Unterhaltung beschäftigt. Warten Sie auf ihr Ende oder halten Sie sie dort an; Ihr Text bleibt.</translation>
    </message>
    <message>
        <source>The engine is not running. Restart it and send again; your text is kept.</source>
        <translation>Die Engine läuft nicht. Starten Sie sie neu und senden Sie noch einmal; Ihr Text bleibt.</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly ({reason}). Your conversation is saved, with what was written of the answer. Restart the engine to go on; the log has the details.</source>
        <translation>Die Engine ist unerwartet stehen geblieben ({reason}). Ihre Unterhaltung ist gesichert, mit dem, was von der Antwort geschrieben war. Starten Sie die Engine neu, um weiterzumachen; im Protokoll steht Näheres.</translation>
    </message>
    <message>
        <source>This computer does not let the app read its memory use. Answers are not affected; the log has the details.</source>
        <translation>Dieser Computer lässt die App seine Speichernutzung nicht lesen. Antworten sind nicht betroffen; im Protokoll steht Näheres.</translation>
    </message>
    <message>
        <source>&quot;{arm}&quot; is not a way to produce tokens. Nothing was measured. Use off, auto, lookup, draft, or draft:N with N from 1 to 15.</source>
        <translation>„{arm}“ ist keine Art, Token zu erzeugen. Nichts wurde gemessen. Benutzen Sie off, auto, lookup, draft oder draft:N mit N von 1 bis 15.</translation>
    </message>
    <message>
        <source>There is no workload &quot;{name}&quot;. Nothing was measured. Choose from: {known}.</source>
        <translation>Es gibt keine Aufgabe „{name}“. Nichts wurde gemessen. Wählen Sie aus: {known}.</translation>
    </message>
    <message>
        <source>The arm &quot;{arm}&quot; needs a draft model, and none is loaded. Nothing was measured. Load a pair, or leave this arm out.</source>
        <translation>Der Arm „{arm}“ braucht ein Entwurfsmodell, und keines ist geladen. Nichts wurde gemessen. Laden Sie ein Paar, oder lassen Sie diesen Arm weg.</translation>
    </message>
    <message>
        <source>The pair was loaded for {loaded} answers at once and {wanted} are to be measured. Nothing was measured. Load it for {wanted}.</source>
        <translation>Das Paar wurde für {loaded} Antworten zugleich geladen, und {wanted} sollen gemessen werden. Nichts wurde gemessen. Laden Sie es für {wanted}.</translation>
    </message>
    <message>
        <source>What should be equal is not: {what} was {first} and is now {second}. A comparison would mean nothing, so it was stopped; what was measured before is kept.</source>
        <translation>Was gleich sein sollte, ist es nicht: {what} war {first} und ist jetzt {second}. Ein Vergleich wäre wertlos, darum wurde er angehalten; was vorher gemessen war, bleibt.</translation>
    </message>
    <message>
        <source>The arm &quot;{arm}&quot; was asked for and the engine used &quot;{found}&quot;. A comparison would mean nothing, so it was stopped; what was measured before is kept. Leave this arm out.</source>
        <translation>Der Arm „{arm}“ wurde verlangt, und die Engine benutzte „{found}“. Ein Vergleich wäre wertlos, darum wurde er angehalten; was vorher gemessen war, bleibt. Lassen Sie diesen Arm weg.</translation>
    </message>
    <message>
        <source>The engine crashed {times} times in a row at {condition}, arm {arm} ({reason}). What was measured before is kept. Leave this arm or workload out and go on with --resume; the engine&apos;s log has the details.</source>
        <translation>Die Engine ist bei {condition}, Arm {arm}, {times}-mal hintereinander abgestürzt ({reason}). Was vorher gemessen war, bleibt. Lassen Sie diesen Arm oder diese Aufgabe weg und machen Sie mit --resume weiter; im Protokoll der Engine steht Näheres.</translation>
    </message>
    <message>
        <source>{path} holds a benchmark already. It was left as it is. Go on with it (--resume), or choose another folder.</source>
        <translation>{path} enthält schon eine Messreihe. Sie blieb, wie sie ist. Setzen Sie sie fort (--resume), oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The results cannot be written to {path} ({reason}). What was written before is kept. Free some space or check the folder&apos;s permissions, then go on with --resume.</source>
        <translation>Die Ergebnisse können nicht nach {path} geschrieben werden ({reason}). Was vorher geschrieben war, bleibt. Schaffen Sie Platz oder prüfen Sie die Rechte des Ordners, dann machen Sie mit --resume weiter.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}). It was left as it is. Check that it is there and that you may open it.</source>
        <translation>{path} kann nicht gelesen werden ({reason}). Es blieb, wie es ist. Prüfen Sie, ob es da ist und Sie es öffnen dürfen.</translation>
    </message>
    <message>
        <source>{path} is not a benchmark of Slipstream. It was left as it is. Choose another file or folder.</source>
        <translation>{path} ist keine Messreihe von Slipstream. Es blieb, wie es ist. Wählen Sie eine andere Datei oder einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{path} was written by another version of Slipstream (format {found}). It was left as it is. Open it with that version.</source>
        <translation>{path} wurde von einer anderen Version von Slipstream geschrieben (Format {found}). Es blieb, wie es ist. Öffnen Sie es mit jener Version.</translation>
    </message>
    <message>
        <source>{path} is damaged in line {line}. It was left as it is. Measure again in another folder, or remove that line if you know what it was.</source>
        <translation>{path} ist in Zeile {line} beschädigt. Es blieb, wie es ist. Messen Sie in einem anderen Ordner neu, oder entfernen Sie jene Zeile, wenn Sie wissen, was sie war.</translation>
    </message>
    <message>
        <source>The benchmark in this folder was made with something else: {what} was {first} and is {second}. It was left as it is. Restore that, or choose another folder.</source>
        <translation>Die Messreihe in diesem Ordner wurde mit etwas anderem gemacht: {what} war {first} und ist {second}. Sie blieb, wie sie ist. Stellen Sie das wieder her, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>These two benchmarks cannot be compared: {what} is {first} in one and {second} in the other, and must be equal. Measure again with the same.</source>
        <translation>Diese beiden Messreihen sind nicht vergleichbar: {what} ist {first} in der einen und {second} in der anderen und muss gleich sein. Messen Sie neu mit demselben.</translation>
    </message>
    <message>
        <source>What was measured of this pair could not be saved to {path} ({reason}). Answers are not affected. Free some space or check the folder&apos;s permissions, then measure again.</source>
        <translation>Was an diesem Paar gemessen wurde, konnte nicht nach {path} gesichert werden ({reason}). Antworten sind nicht betroffen. Schaffen Sie Platz oder prüfen Sie die Rechte des Ordners, dann messen Sie noch einmal.</translation>
    </message>
    <message>
        <source>llama-server drafts a fixed number of tokens and has other acceptance rules, so its speed will differ from what is shown here.</source>
        <translation>llama-server entwirft eine feste Zahl von Token und nimmt nach anderen Regeln an, darum weicht sein Tempo von dem hier gezeigten ab.</translation>
    </message>
    <message>
        <source>No draft is loaded, so this looks for repetitions in the text instead.</source>
        <translation>Kein Entwurf ist geladen, darum sucht dies stattdessen nach Wiederholungen im Text.</translation>
    </message>
    <message>
        <source>The number of layers on the graphics device is what fitted on this computer; another one may hold more.</source>
        <translation>Die Zahl der Schichten auf dem Grafikgerät ist, was auf diesem Computer passte; ein anderer fasst vielleicht mehr.</translation>
    </message>
    <message>
        <source>vLLM loads the original weights, which are larger and not the file measured here.</source>
        <translation>vLLM lädt die ursprünglichen Gewichte, die größer sind und nicht die hier gemessene Datei.</translation>
    </message>
    <message>
        <source>vLLM loads the original weights, not this file: put in the names of the repositories that the models were made from.</source>
        <translation>vLLM lädt die ursprünglichen Gewichte, nicht diese Datei: setzen Sie die Namen der Repositorys ein, aus denen die Modelle gemacht wurden.</translation>
    </message>
    <message>
        <source>Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}. Another draft of the target&apos;s family may guess better.</source>
        <translation>Nur {percent} % von {drafted} entworfenen Token wurden bei einer mittleren Tiefe von {depth} angenommen. Ein anderer Entwurf aus der Familie des Zielmodells rät vielleicht besser.</translation>
    </message>
    <message>
        <source>Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}. Drafting {best} at a time would be best here: by the measured costs {gain} % faster than without drafting.</source>
        <translation>Nur {percent} % von {drafted} entworfenen Token wurden bei einer mittleren Tiefe von {depth} angenommen. {best} auf einmal zu entwerfen wäre hier am besten: nach den gemessenen Kosten {gain} % schneller als ohne Entwerfen.</translation>
    </message>
    <message>
        <source>Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}. By the costs measured on this computer no depth pays at that rate: switch speculation off for this kind of text, or leave it on auto.</source>
        <translation>Nur {percent} % von {drafted} entworfenen Token wurden bei einer mittleren Tiefe von {depth} angenommen. Nach den Kosten, die auf diesem Computer gemessen wurden, lohnt sich dabei keine Tiefe: schalten Sie die Spekulation für diese Art Text aus, oder lassen Sie sie auf Auto.</translation>
    </message>
    <message>
        <source>Only {percent} % of {drafted} drafted tokens were accepted at a mean depth of {depth}. {name} also fits this target and is larger, so it guesses better.</source>
        <translation>Nur {percent} % von {drafted} entworfenen Token wurden bei einer mittleren Tiefe von {depth} angenommen. {name} passt auch zu diesem Zielmodell und ist größer, rät also besser.</translation>
    </message>
    <message>
        <source>This computer is compute-bound with this pair: checking {rows} tokens costs {ratio} × checking one. Drafting {depth} at a time pays only above {percent} % acceptance.</source>
        <translation>Dieser Computer ist bei diesem Paar durch das Rechnen begrenzt: {rows} Token zu prüfen kostet {ratio} × so viel wie eines. {depth} auf einmal zu entwerfen lohnt sich erst ab {percent} % Annahme.</translation>
    </message>
    <message>
        <source>This computer is compute-bound with this pair: checking {rows} tokens costs {ratio} × checking one. No acceptance makes drafting with a model pay; leave it off or use lookup.</source>
        <translation>Dieser Computer ist bei diesem Paar durch das Rechnen begrenzt: {rows} Token zu prüfen kostet {ratio} × so viel wie eines. Das Entwerfen mit einem Modell lohnt sich bei keiner Annahme; lassen Sie es aus, oder nehmen Sie Nachschlagen.</translation>
    </message>
    <message>
        <source>{free} MB of memory are free and {margin} MB should be. Any of the following helps.</source>
        <translation>{free} MB Speicher sind frei, und {margin} MB sollten es sein. Jedes der folgenden hilft.</translation>
    </message>
    <message>
        <source>Without the draft model {freed} MB become free.</source>
        <translation>Ohne das Entwurfsmodell werden {freed} MB frei.</translation>
    </message>
    <message>
        <source>Half the context ({half} tokens instead of {context}) frees {freed} MB.</source>
        <translation>Der halbe Kontext ({half} Token statt {context}) macht {freed} MB frei.</translation>
    </message>
    <message>
        <source>Keeping the conversation at 8 bits (q8_0) frees {freed} MB.</source>
        <translation>Die Unterhaltung mit 8 Bit zu halten (q8_0) macht {freed} MB frei.</translation>
    </message>
    <message>
        <source>{workload}, {at_once} at a time: {arm} is fastest, {factor} × (95 % interval {low} to {high}, {requests} requests).</source>
        <translation>{workload}, {at_once} zugleich: {arm} ist am schnellsten, {factor} × (95-%-Intervall {low} bis {high}, {requests} Anfragen).</translation>
    </message>
    <message>
        <source>{workload}, {at_once} at a time: no way of drafting was shown to be faster than none.</source>
        <translation>{workload}, {at_once} zugleich: keine Art zu entwerfen erwies sich als schneller als keine.</translation>
    </message>
    <message>
        <source>{workload}: the gain of {arm} ({factor} × one at a time) is gone with {many} at once: {many_factor} ×, {finding}.</source>
        <translation>{workload}: der Gewinn von {arm} ({factor} × bei einer) ist bei {many} zugleich verschwunden: {many_factor} ×, {finding}.</translation>
    </message>
    <message>
        <source>No energy meter of this computer can be read, so joules and cost are not available. Answers are not affected. Read the watts from a plug meter and enter them in the settings to have them anyway.</source>
        <translation>Kein Energiezähler dieses Computers ist lesbar, darum sind Joule und Kosten nicht verfügbar. Antworten sind nicht betroffen. Lesen Sie die Watt an einem Steckdosenmessgerät ab und tragen Sie sie in den Einstellungen ein, um sie dennoch zu haben.</translation>
    </message>
    <message>
        <source>This is an estimate: rated power ({watts} W) times the time the answer took.</source>
        <translation>Das ist eine Schätzung: Nennleistung ({watts} W) mal der Zeit der Antwort.</translation>
    </message>
    <message>
        <source>The answer was too short for its energy to be measured.</source>
        <translation>Die Antwort war zu kurz, um ihre Energie zu messen.</translation>
    </message>
    <message>
        <source>The energy meter was not ready in time for this answer. The next one is measured if the model stays loaded.</source>
        <translation>Der Energiezähler war für diese Antwort nicht rechtzeitig bereit. Die nächste wird gemessen, wenn das Modell geladen bleibt.</translation>
    </message>
    <message>
        <source>The energy meter stopped answering before the answer ended, so its energy is not known.</source>
        <translation>Der Energiezähler antwortete nicht mehr, bevor die Antwort endete, darum ist ihre Energie nicht bekannt.</translation>
    </message>
    <message>
        <source>The energy meter paused while the answer was written, so its energy is not known.</source>
        <translation>Der Energiezähler machte eine Pause, während die Antwort geschrieben wurde, darum ist ihre Energie nicht bekannt.</translation>
    </message>
    <message>
        <source>The energy counter of this device does not move, so the energy is not known.</source>
        <translation>Der Energiezähler dieses Geräts bewegt sich nicht, darum ist die Energie nicht bekannt.</translation>
    </message>
    <message>
        <source>The energy counter was reset while the answer was written; that moment was filled in from the power drawn.</source>
        <translation>Der Energiezähler wurde zurückgesetzt, während die Antwort geschrieben wurde; jener Augenblick wurde aus der Leistung ergänzt.</translation>
    </message>
    <message>
        <source>The energy meter did not answer in time, so the energy of this answer is not known.</source>
        <translation>Der Energiezähler antwortete nicht rechtzeitig, darum ist die Energie dieser Antwort nicht bekannt.</translation>
    </message>
    <message>
        <source>Other answers were written at the same time; this is the answer&apos;s even share.</source>
        <translation>Andere Antworten wurden zur selben Zeit geschrieben; dies ist der gleiche Anteil dieser Antwort.</translation>
    </message>
    <message>
        <source>Without what the computer draws when idle.</source>
        <translation>Ohne das, was der Computer im Leerlauf braucht.</translation>
    </message>
    <message>
        <source>The power when idle is not known, so it was not subtracted.</source>
        <translation>Die Leistung im Leerlauf ist nicht bekannt, darum wurde sie nicht abgezogen.</translation>
    </message>
    <message>
        <source>The power when idle was measured as high as the power of this answer, so it was not subtracted. Measure it again while nothing runs.</source>
        <translation>Die Leistung im Leerlauf wurde so hoch gemessen wie die dieser Antwort, darum wurde sie nicht abgezogen. Messen Sie sie noch einmal, während nichts läuft.</translation>
    </message>
    <message>
        <source>No NVIDIA device was found.</source>
        <translation>Kein NVIDIA-Gerät wurde gefunden.</translation>
    </message>
    <message>
        <source>NVIDIA: the driver is not installed. Install it to see memory, power and energy of the graphics device.</source>
        <translation>NVIDIA: der Treiber ist nicht installiert. Installieren Sie ihn, um Speicher, Leistung und Energie des Grafikgeräts zu sehen.</translation>
    </message>
    <message>
        <source>NVIDIA: the driver is installed but not running. Restart the computer.</source>
        <translation>NVIDIA: der Treiber ist installiert, läuft aber nicht. Starten Sie den Computer neu.</translation>
    </message>
    <message>
        <source>NVIDIA: the driver was updated. Restart the computer to see memory, power and energy of the graphics device.</source>
        <translation>NVIDIA: der Treiber wurde aktualisiert. Starten Sie den Computer neu, um Speicher, Leistung und Energie des Grafikgeräts zu sehen.</translation>
    </message>
    <message>
        <source>NVIDIA: a part of this app is missing (nvidia-ml-py). Install the app once more.</source>
        <translation>NVIDIA: ein Teil dieser App fehlt (nvidia-ml-py). Installieren Sie die App noch einmal.</translation>
    </message>
    <message>
        <source>NVIDIA: the driver sees no device.</source>
        <translation>NVIDIA: der Treiber sieht kein Gerät.</translation>
    </message>
    <message>
        <source>NVIDIA: this device tells neither its energy nor its power.</source>
        <translation>NVIDIA: dieses Gerät sagt weder seine Energie noch seine Leistung.</translation>
    </message>
    <message>
        <source>NVIDIA: the graphics device is switched off to save power and was not woken.</source>
        <translation>NVIDIA: das Grafikgerät ist zum Stromsparen abgeschaltet und wurde nicht geweckt.</translation>
    </message>
    <message>
        <source>NVIDIA: the device stopped answering ({reason}).</source>
        <translation>NVIDIA: das Gerät antwortet nicht mehr ({reason}).</translation>
    </message>
    <message>
        <source>No AMD graphics device was found.</source>
        <translation>Kein AMD-Grafikgerät wurde gefunden.</translation>
    </message>
    <message>
        <source>AMD: this device tells neither its energy nor its power.</source>
        <translation>AMD: dieses Gerät sagt weder seine Energie noch seine Leistung.</translation>
    </message>
    <message>
        <source>AMD: the graphics device is switched off to save power and was not woken.</source>
        <translation>AMD: das Grafikgerät ist zum Stromsparen abgeschaltet und wurde nicht geweckt.</translation>
    </message>
    <message>
        <source>AMD: the device stopped answering ({reason}).</source>
        <translation>AMD: das Gerät antwortet nicht mehr ({reason}).</translation>
    </message>
    <message>
        <source>This is not a Mac with Apple silicon.</source>
        <translation>Das ist kein Mac mit Apple-Chip.</translation>
    </message>
    <message>
        <source>Apple silicon: a part of this app is missing (zeus-apple-silicon). Install the app once more.</source>
        <translation>Apple-Chip: ein Teil dieser App fehlt (zeus-apple-silicon). Installieren Sie die App noch einmal.</translation>
    </message>
    <message>
        <source>Apple silicon: this chip does not report its energy in a form the app knows.</source>
        <translation>Apple-Chip: dieser Chip meldet seine Energie nicht in einer Form, die die App kennt.</translation>
    </message>
    <message>
        <source>Apple silicon: the system&apos;s energy report failed ({reason}).</source>
        <translation>Apple-Chip: der Energiebericht des Systems schlug fehl ({reason}).</translation>
    </message>
    <message>
        <source>Processor: this system shows no energy counter, as is usual in a virtual machine.</source>
        <translation>Prozessor: dieses System zeigt keinen Energiezähler, wie es in einer virtuellen Maschine üblich ist.</translation>
    </message>
    <message>
        <source>Processor: only the administrator may read its energy counter ({path}).</source>
        <translation>Prozessor: nur der Administrator darf seinen Energiezähler lesen ({path}).</translation>
    </message>
    <message>
        <source>Processor: its energy counter could not be read ({reason}).</source>
        <translation>Prozessor: sein Energiezähler konnte nicht gelesen werden ({reason}).</translation>
    </message>
    <message>
        <source>The watts when idle ({idle}) are not below the watts under load ({load}), so they are not used. They may be swapped: check them in the settings.</source>
        <translation>Die Watt im Leerlauf ({idle}) liegen nicht unter den Watt unter Last ({load}), darum werden sie nicht benutzt. Vielleicht sind sie vertauscht: prüfen Sie sie in den Einstellungen.</translation>
    </message>
    <message>
        <source>{watts} W cannot be what a plug meter showed, so it is not used. Check the figure in the settings.</source>
        <translation>{watts} W kann ein Steckdosenmessgerät nicht gezeigt haben, darum wird es nicht benutzt. Prüfen Sie den Wert in den Einstellungen.</translation>
    </message>
    <message>
        <source>“{text}” is not a price. Nothing was changed. Type a number such as 0.15 or 0,15.</source>
        <translation>„{text}“ ist kein Preis. Nichts wurde geändert. Geben Sie eine Zahl wie 0,15 oder 0.15 ein.</translation>
    </message>
    <message>
        <source>A price per kWh cannot be below zero ({text}). Nothing was changed. Type 0 if the energy costs nothing.</source>
        <translation>Ein Preis je kWh kann nicht unter null liegen ({text}). Nichts wurde geändert. Geben Sie 0 ein, wenn die Energie nichts kostet.</translation>
    </message>
    <message>
        <source>Comparing sets speculation against none, so it cannot be off. Nothing was measured. Use --speculation auto, draft or lookup.</source>
        <translation>Ein Vergleich stellt Spekulation gegen keine, darum darf sie nicht aus sein. Nichts wurde gemessen. Benutzen Sie --speculation auto, draft oder lookup.</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; does not say how many answers to ask for at once. Nothing was measured. Give numbers from 1 to {most}, such as 1,4.</source>
        <translation>„{text}“ sagt nicht, wie viele Antworten zugleich verlangt werden sollen. Nichts wurde gemessen. Geben Sie Zahlen von 1 bis {most} an, etwa 1,4.</translation>
    </message>
    <message>
        <source>To go on with a benchmark, say which: --resume needs --out with its folder. Nothing was measured.</source>
        <translation>Um eine Messreihe fortzusetzen, sagen Sie, welche: --resume braucht --out mit ihrem Ordner. Nichts wurde gemessen.</translation>
    </message>
    <message>
        <source>Measuring was stopped. What was measured until then is kept; a benchmark goes on from there with --resume.</source>
        <translation>Das Messen wurde angehalten. Was bis dahin gemessen wurde, bleibt; eine Messreihe geht mit --resume von dort weiter.</translation>
    </message>
    <message>
        <source>The engine failed at this request ({reason}). What was written is kept and the models are still loaded. Try again; if it fails again, the engine&apos;s log has the details.</source>
        <translation>Die Engine scheiterte an dieser Anfrage ({reason}). Was geschrieben war, bleibt, und die Modelle sind noch geladen. Versuchen Sie es noch einmal; scheitert es wieder, steht im Protokoll der Engine Näheres.</translation>
    </message>
    <message>
        <source>The engine could not start ({reason}). Your conversations are safe. Try again; if it fails again, install the app once more and look into the engine&apos;s log.</source>
        <translation>Die Engine konnte nicht starten ({reason}). Ihre Unterhaltungen sind sicher. Versuchen Sie es noch einmal; scheitert es wieder, installieren Sie die App neu und sehen Sie in das Protokoll der Engine.</translation>
    </message>
    <message>
        <source>The engine stopped while loading ({reason}). Most likely a model file is damaged, or of a kind that this version of the app cannot read. Your conversations are safe. Choose another model, or download this one again; the log has the details.</source>
        <translation>Die Engine blieb beim Laden stehen ({reason}). Wahrscheinlich ist eine Modelldatei beschädigt oder von einer Art, die diese Version der App nicht lesen kann. Ihre Unterhaltungen sind sicher. Wählen Sie ein anderes Modell, oder laden Sie dieses neu herunter; im Protokoll steht Näheres.</translation>
    </message>
    <message>
        <source>The engine was ended, most likely because the computer ran out of memory ({reason}). Your conversation is saved. Close other programs, or choose a smaller model or context, then restart the engine.</source>
        <translation>Die Engine wurde beendet, wahrscheinlich, weil dem Computer der Speicher ausging ({reason}). Ihre Unterhaltung ist gesichert. Schließen Sie andere Programme, oder wählen Sie ein kleineres Modell oder einen kürzeren Kontext, dann starten Sie die Engine neu.</translation>
    </message>
    <message>
        <source>The engine used an instruction this computer does not carry out (CPU module {cpu_module}). Your conversation is saved. Restart the engine: it will then try a simpler module.</source>
        <translation>Die Engine benutzte einen Befehl, den dieser Computer nicht ausführt (CPU-Modul {cpu_module}). Ihre Unterhaltung ist gesichert. Starten Sie die Engine neu: sie versucht dann ein einfacheres Modul.</translation>
    </message>
    <message>
        <source>The engine used an instruction this computer does not carry out (CPU module {cpu_module}). Your conversation is saved. It is being started again with a simpler module, and that is remembered for this computer.</source>
        <translation>Die Engine benutzte einen Befehl, den dieser Computer nicht ausführt (CPU-Modul {cpu_module}). Ihre Unterhaltung ist gesichert. Sie wird mit einem einfacheren Modul neu gestartet, und das wird für diesen Computer gemerkt.</translation>
    </message>
    <message>
        <source>The engine and the window belong to different versions of the app; it was probably updated while open. Your conversations are safe. Close the app and start it again.</source>
        <translation>Engine und Fenster gehören zu verschiedenen Versionen der App; sie wurde wohl aktualisiert, während sie offen war. Ihre Unterhaltungen sind sicher. Schließen Sie die App und starten Sie sie wieder.</translation>
    </message>
    <message>
        <source>The measurement was stopped. Nothing was changed. Start it again at any time.</source>
        <translation>Die Messung wurde angehalten. Nichts wurde geändert. Beginnen Sie sie jederzeit von vorn.</translation>
    </message>
    <message>
        <source>Something unexpected happened ({code}). Your conversation is saved. The log has the details.</source>
        <translation>Etwas Unerwartetes ist geschehen ({code}). Ihre Unterhaltung ist gesichert. Im Protokoll steht Näheres.</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
</context>
<context>
    <name>models</name>
    <message>
        <source>{count} files</source>
        <translation>{count} Dateien</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{total}, complete and checked</source>
        <translation>{total}, vollständig und geprüft</translation>
    </message>
    <message>
        <source>{amount}, paused</source>
        <translation>{amount}, Pause</translation>
    </message>
    <message>
        <source>{amount}, waits for its turn</source>
        <translation>{amount}, wartet auf seine Reihe</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>verbindet</translation>
    </message>
    <message>
        <source>the connection broke off, trying again</source>
        <translation>die Verbindung brach ab, neuer Versuch</translation>
    </message>
    <message>
        <source>checking what is here</source>
        <translation>prüft, was schon da ist</translation>
    </message>
    <message>
        <source>{size} a second</source>
        <translation>{size} je Sekunde</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>weniger als eine Minute</translation>
    </message>
    <message>
        <source>{count} min left</source>
        <translation>noch {count} min</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min left</source>
        <translation>noch {hours} h {minutes} min</translation>
    </message>
    <message>
        <source>Downloading {percent}</source>
        <translation>Lädt {percent}</translation>
    </message>
    <message>
        <source>Download failed</source>
        <translation>Download fehlgeschlagen</translation>
    </message>
    <message>
        <source>Download paused</source>
        <translation>Download macht Pause</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Fits partly, slower</source>
        <translation>Passt zum Teil, langsamer</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>Zu groß</translation>
    </message>
    <message>
        <source>Size unknown</source>
        <translation>Größe unbekannt</translation>
    </message>
    <message>
        <source>Slipstream</source>
        <translation>Slipstream</translation>
    </message>
    <message>
        <source>Hugging Face</source>
        <translation>Hugging Face</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>ein anderes Programm</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>made as a draft</source>
        <translation>als Entwurf gemacht</translation>
    </message>
    <message>
        <source>draft head</source>
        <translation>Entwurfskopf</translation>
    </message>
    <message>
        <source>for pictures</source>
        <translation>für Bilder</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>unknown size</source>
        <translation>unbekannte Größe</translation>
    </message>
    <message>
        <source>Needs about {size} of memory</source>
        <translation>Braucht etwa {size} Speicher</translation>
    </message>
    <message>
        <source>Needs {size} of memory</source>
        <translation>Braucht {size} Speicher</translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation>Lizenz: {name}</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>to be accepted on its page before downloading</source>
        <translation>vor dem Herunterladen auf ihrer Seite anzunehmen</translation>
    </message>
    <message>
        <source>{count} billion parameters</source>
        <translation>{count} Milliarden Parameter</translation>
    </message>
    <message>
        <source>up to {tokens} tokens</source>
        <translation>bis zu {tokens} Token</translation>
    </message>
    <message>
        <source>{count} downloads</source>
        <translation>{count} Downloads</translation>
    </message>
</context>
<context>
    <name>options</name>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 always takes the likeliest word; more is more varied</source>
        <translation>0 nimmt immer das wahrscheinlichste Wort; mehr wird abwechslungsreicher</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only so many of the likeliest tokens; 0 switches it off</source>
        <translation>Nur so viele der wahrscheinlichsten Token; 0 schaltet es ab</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the likeliest tokens up to this share; 1 switches it off</source>
        <translation>Nur die wahrscheinlichsten Token bis zu diesem Anteil; 1 schaltet es ab</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Only tokens at least this likely beside the likeliest</source>
        <translation>Nur Token, die neben dem wahrscheinlichsten mindestens so wahrscheinlich sind</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Above 1 makes repeating less likely</source>
        <translation>Über 1 macht Wiederholungen unwahrscheinlicher</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed draws the same words</source>
        <translation>Derselbe Startwert zieht dieselben Wörter</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Tokens after which an answer ends</source>
        <translation>Token, nach denen eine Antwort endet</translation>
    </message>
</context>
<context>
    <name>row</name>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht zusammen</translation>
    </message>
    <message>
        <source>Usually not worth it</source>
        <translation>Lohnt sich meist nicht</translation>
    </message>
    <message>
        <source>Goes together</source>
        <translation>Passt zusammen</translation>
    </message>
</context>
<context>
    <name>shortcuts</name>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Die Antwort anhalten</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Die letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Show or hide the guesses</source>
        <translation>Geratenes zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Let another one guess</source>
        <translation>Einen anderen raten lassen</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Search all conversations</source>
        <translation>Alle Unterhaltungen durchsuchen</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Rename the chosen conversation</source>
        <translation>Die gewählte Unterhaltung umbenennen</translation>
    </message>
    <message>
        <source>Delete the chosen conversation</source>
        <translation>Die gewählte Unterhaltung löschen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Find and manage models</source>
        <translation>Modelle suchen und verwalten</translation>
    </message>
    <message>
        <source>Open a model from disk</source>
        <translation>Ein Modell von der Platte öffnen</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Show or hide conversations</source>
        <translation>Unterhaltungen zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Show or hide the numbers</source>
        <translation>Zahlen zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>This list</source>
        <translation>Diese Liste</translation>
    </message>
    <message>
        <source>Next part of the window</source>
        <translation>Nächster Teil des Fensters</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>Voriger Teil</translation>
    </message>
</context>
<context>
    <name>verdict</name>
    <message>
        <source>The answers were too short to have a speed.</source>
        <translation>Die Antworten waren zu kurz, um ein Tempo zu haben.</translation>
    </message>
    <message>
        <source>No difference in speed in this run</source>
        <translation>Kein Unterschied im Tempo bei diesem Lauf</translation>
    </message>
    <message>
        <source>{factor} × as fast with speculation in this run</source>
        <translation>{factor} × so schnell mit Spekulation bei diesem Lauf</translation>
    </message>
    <message>
        <source>Slower with speculation in this run: {factor} × the speed</source>
        <translation>Langsamer mit Spekulation bei diesem Lauf: {factor} × das Tempo</translation>
    </message>
    <message>
        <source>{share} of the guesses were accepted: {count} tokens per pass.</source>
        <translation>{share} der Vermutungen wurden angenommen: {count} Token je Durchgang.</translation>
    </message>
    <message>
        <source>First token after {on} s with, {off} s without.</source>
        <translation>Erstes Token nach {on} s mit, {off} s ohne.</translation>
    </message>
    <message>
        <source>Energy: {reason}</source>
        <translation>Energie: {reason}</translation>
    </message>
    <message>
        <source>Energy: {on} with, {off} without ({source}).</source>
        <translation>Energie: {on} mit, {off} ohne ({source}).</translation>
    </message>
    <message>
        <source>A million tokens cost {on} with, {off} without.</source>
        <translation>Eine Million Token kostet {on} mit, {off} ohne.</translation>
    </message>
    <message>
        <source>The price is an example: set yours in the settings.</source>
        <translation>Der Preis ist ein Beispiel: geben Sie Ihren in den Einstellungen an.</translation>
    </message>
    <message>
        <source>The answers were drawn by chance, so their texts cannot be compared.</source>
        <translation>Die Antworten wurden ausgelost, darum lassen sich ihre Texte nicht vergleichen.</translation>
    </message>
    <message>
        <source>Both wrote the same text, token for token.</source>
        <translation>Beide schrieben denselben Text, Token für Token.</translation>
    </message>
    <message>
        <source>The texts part at token {place}: there one answer ended.</source>
        <translation>Die Texte trennen sich bei Token {place}: dort endete eine Antwort.</translation>
    </message>
    <message>
        <source>The texts part at token {place}: “{off}” without, “{on}” with speculation.</source>
        <translation>Die Texte trennen sich bei Token {place}: „{off}“ ohne, „{on}“ mit Spekulation.</translation>
    </message>
    <message>
        <source>The model holds the two only {gap} apart (logits), so rounding decides. Both are its own answers.</source>
        <translation>Für das Modell liegen die beiden nur {gap} auseinander (Logits), darum entscheidet das Runden. Beides sind seine eigenen Antworten.</translation>
    </message>
    <message>
        <source>The model holds the two {gap} apart (logits). That is more than rounding explains; please report it.</source>
        <translation>Für das Modell liegen die beiden {gap} auseinander (Logits). Das ist mehr, als Runden erklärt; bitte melden Sie es.</translation>
    </message>
</context>
<context>
    <name>wording</name>
    <message>
        <source>Loading {percent} %</source>
        <translation>Lädt {percent} %</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Liest</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denkt nach</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreibt</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Hält an</translation>
    </message>
    <message>
        <source>Unloading</source>
        <translation>Entlädt</translation>
    </message>
    <message>
        <source>Stopped unexpectedly</source>
        <translation>Unerwartet stehen geblieben</translation>
    </message>
    <message>
        <source>Could not be loaded</source>
        <translation>Nicht ladbar</translation>
    </message>
    <message>
        <source>Reading the model into memory</source>
        <translation>Das Modell wird in den Speicher gelesen</translation>
    </message>
    <message>
        <source>Reading the draft model into memory</source>
        <translation>Das Entwurfsmodell wird in den Speicher gelesen</translation>
    </message>
    <message>
        <source>Making room for the conversation</source>
        <translation>Platz für die Unterhaltung wird geschaffen</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>Warmlaufen</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>Die Engine wird gestartet</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>Kein Modell geladen</translation>
    </message>
    <message>
        <source>{layers} of {all} layers on the graphics card</source>
        <translation>{layers} von {all} Schichten auf der Grafikkarte</translation>
    </message>
    <message>
        <source>Context: {tokens} tokens, KV cache {kind}</source>
        <translation>Kontext: {tokens} Token, KV-Speicher {kind}</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} Threads</translation>
    </message>
    <message>
        <source>Loaded in {seconds} s</source>
        <translation>In {seconds} s geladen</translation>
    </message>
    <message>
        <source>Open a model to chat</source>
        <translation>Öffnen Sie ein Modell, um zu chatten</translation>
    </message>
    <message>
        <source>Restart the engine to go on</source>
        <translation>Starten Sie die Engine neu, um weiterzumachen</translation>
    </message>
    <message>
        <source>Ask already: the answer comes when the model is loaded</source>
        <translation>Fragen Sie schon: die Antwort kommt, sobald das Modell geladen ist</translation>
    </message>
    <message>
        <source>Ask anything</source>
        <translation>Fragen Sie etwas</translation>
    </message>
    <message>
        <source>To compare, open a model first.</source>
        <translation>Zum Vergleichen öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>To compare, wait for the end of the answer, or stop it.</source>
        <translation>Zum Vergleichen warten Sie auf das Ende der Antwort, oder halten Sie sie an.</translation>
    </message>
    <message>
        <source>Waiting for the model</source>
        <translation>Wartet auf das Modell</translation>
    </message>
    <message>
        <source>Reading the conversation: {done} of {total} tokens</source>
        <translation>Die Unterhaltung wird gelesen: {done} von {total} Token</translation>
    </message>
    <message>
        <source>Reading the conversation</source>
        <translation>Die Unterhaltung wird gelesen</translation>
    </message>
    <message>
        <source>No draft model is loaded. Choose one under Open.</source>
        <translation>Kein Entwurfsmodell ist geladen. Wählen Sie eines unter „Öffnen“.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Restart without draft</source>
        <translation>Ohne Entwurf neu starten</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>Anderes öffnen…</translation>
    </message>
    <message>
        <source>Restart the engine to go on. Your conversation is saved.</source>
        <translation>Starten Sie die Engine neu, um weiterzumachen. Ihre Unterhaltung ist gesichert.</translation>
    </message>
    <message>
        <source>Choose another…</source>
        <translation>Anderen wählen…</translation>
    </message>
</context>
</TS>
