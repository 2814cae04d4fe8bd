import type { help as english } from '../../en/command-line/help.ts';
import type { Translation } from '../../translation.ts';

export const help: Translation<typeof english> = {
  usage: 'Aufruf:',
  options: 'Optionen:',
  commands: 'Befehle:',
  connection: 'Verbindung (ohne Angabe: der Übungsdienst):',
  version: 'die Version dieses Programms',
  help: 'diese Hilfe',
  helpOf: 'die Hilfe zu einem Befehl',
  json: 'ein JSON-Objekt je Zeile statt Text',
  lang: 'Sprache der Texte für Menschen, etwa {{tags}} (LC_ALL, LC_MESSAGES oder LANG)',
  examples: 'Beispiele',
  exitCodes: `Rückgabewerte: 0 in Ordnung · 1 abgelehnt oder nicht bestätigt · 2 falscher Aufruf · 3 ungewiss (gesendet, ohne Antwort)
4 nicht erreichbar · 5 das Register ist nicht benutzbar · 6 erledigt, aber nicht alle Ergebnisse ausgegeben · 130 mit Strg+C beendet`,
  credentials: `Zugangsdaten kommen aus der Umgebung (SEALDESK_API_KEY und SEALDESK_API_SIG), bei einer gespeicherten Verbindung aus
dem Schlüsselbund des Systems, oder sie werden erfragt. Auf der Befehlszeile werden sie nie angenommen.`,
  practice: `Ohne --connection oder --url geht alles an den Übungsdienst, der für den Aufruf gestartet wird: Nichts verlässt diesen
Computer.`,
};
