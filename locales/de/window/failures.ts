import type { Catalogue } from '../../en/window/window.ts';

export const deFailures: Catalogue['failures'] = {
  code: {
    'bad-input': {
      heading: 'Eine Eingabe ist nicht brauchbar',
      advice: 'Berichtigen Sie das Markierte und versuchen Sie es noch einmal.',
    },
    'not-found': {
      heading: 'Das gibt es nicht mehr',
      advice: 'Es wurde inzwischen entfernt oder verworfen. Gehen Sie zurück zur Liste.',
    },
    'not-connected': {
      heading: 'Die Verbindung hat keine Zugangsdaten',
      advice: 'Öffnen Sie „Verbindungen“ und geben Sie API-Schlüssel und Signatur aus dem Portal des Dienstes ein.',
    },
    'credentials-rejected': {
      heading: 'Der Dienst lehnt die Zugangsdaten ab',
      advice:
        'Öffnen Sie „Verbindungen“ und geben Sie API-Schlüssel und Signatur noch einmal genau so ein, wie das Portal sie zeigt.',
    },
    'service-refused': {
      heading: 'Der Dienst hat abgelehnt',
      advice:
        'Seine eigenen Worte stehen darunter. Berichtigen Sie, was er nennt, oder fragen Sie mit dem Code beim Dienst nach.',
    },
    'service-unreachable': {
      heading: 'Der Dienst ist nicht erreichbar',
      advice:
        'Es wurde nichts gesendet. Prüfen Sie das Netz und versuchen Sie es dann noch einmal; „Verbindung prüfen“ zeigt, woran es liegt.',
    },
    'service-timeout': {
      heading: 'Der Dienst hat zu lange gebraucht',
      advice: 'Versuchen Sie es später noch einmal oder erlauben Sie in der Verbindung mehr Zeit.',
    },
    'outcome-unknown': {
      heading: 'Es kam keine Antwort',
      advice: 'Es ist ungewiss, ob es ausgeführt wurde. Sehen Sie beim Dienst nach, bevor Sie es noch einmal senden.',
    },
    'reply-unreadable': {
      heading: 'Die Antwort stammt nicht von diesem Dienst',
      advice: 'Prüfen Sie Adresse und Pfade der Verbindung.',
    },
    'file-unreadable': {
      heading: 'Die Datei ist nicht lesbar',
      advice: 'Prüfen Sie, ob es sie noch gibt und ob Sie sie öffnen dürfen.',
    },
    'file-changed': {
      heading: 'Die Datei wurde beim Lesen verändert',
      advice: 'Schließen Sie sie in anderen Programmen und wählen Sie sie dann neu.',
    },
    cancelled: { heading: 'Abgebrochen', advice: 'Es geschieht nichts weiter.' },
    'storage-full': {
      heading: 'Der Datenträger ist voll',
      advice: 'Schaffen Sie Platz und versuchen Sie es dann noch einmal.',
    },
    'storage-busy': {
      heading: 'Ein anderes Programm schreibt in das Register',
      advice: 'Nichts wurde geändert. Versuchen Sie es gleich noch einmal.',
    },
    'storage-unusable': {
      heading: 'Die eigenen Daten von Sealdesk sind nicht les- oder schreibbar',
      advice: 'Prüfen Sie, ob der Datenträger schreibgeschützt ist, und starten Sie Sealdesk neu.',
    },
    bug: {
      heading: 'Etwas Unerwartetes ist geschehen',
      advice: 'Versuchen Sie es noch einmal. Geschieht es wieder, nennen Sie dem Support die Kennung unten.',
    },
  },
  detail: {
    'file-missing': {
      heading: 'Die Datei ist nicht mehr da',
      advice: 'Sie wurde verschoben, umbenannt oder gelöscht. Wählen Sie sie neu.',
    },
    'file-denied': {
      heading: 'Sie dürfen diese Datei nicht öffnen',
      advice: 'Bitten Sie den Besitzer um das Leserecht.',
    },
    'file-locked': {
      heading: 'Ein anderes Programm hält diese Datei',
      advice: 'Schließen Sie sie dort und versuchen Sie es dann noch einmal.',
    },
    'file-empty': { heading: 'Die Datei ist leer', advice: 'Sie enthält kein einziges Byte. Wählen Sie eine andere.' },
    'file-is-folder': {
      heading: 'Das ist ein Ordner',
      advice: 'Ziehen Sie ihn herein oder wählen Sie ihn mit „Ordner wählen…“.',
    },
    'file-not-pdf': { heading: 'Kein PDF', advice: 'Der Dienst registriert nur PDF. Speichern Sie es zuerst als PDF.' },
    'file-encrypted': {
      heading: 'Das PDF ist verschlüsselt',
      advice: 'Speichern Sie zuerst eine Kopie ohne Kennwortschutz.',
    },
    'target-not-writable': {
      heading: 'Die Datei kann dort nicht geschrieben werden',
      advice: 'Wählen Sie einen anderen Ordner.',
    },
    'drive-error': {
      heading: 'Das Laufwerk meldet einen Fehler',
      advice: 'Prüfen Sie das Laufwerk und versuchen Sie es dann erneut.',
    },
    'too-many-open-files': {
      heading: 'Auf diesem Computer sind zu viele Dateien offen',
      advice: 'Schließen Sie andere Programme und versuchen Sie es dann erneut.',
    },
    'data-folder-denied': {
      heading: 'Sealdesk darf nicht in seinen eigenen Datenordner schreiben',
      advice: 'Prüfen Sie die Rechte und ob der Datenträger schreibgeschützt ist.',
    },
    'target-exists': {
      heading: 'Es gibt schon eine Datei mit diesem Namen',
      advice: 'Sie wurde nicht verändert. Speichern Sie noch einmal unter einem anderen Namen.',
    },
    'path-too-long': {
      heading: 'Der Pfad ist zu lang für diesen Computer',
      advice: 'Verschieben Sie die Datei in einen Ordner weiter oben oder kürzen Sie die Namen ihrer Ordner.',
    },
    'file-special': {
      heading: 'Das ist ein Gerät oder eine Pipe, keine Datei',
      advice: 'Wählen Sie eine Datei.',
    },
    'name-not-resolved': {
      heading: 'Das Netz kennt die Adresse des Dienstes nicht',
      advice: 'Es wurde nichts gesendet. Prüfen Sie die Adresse auf Tippfehler und die Netzverbindung.',
    },
    'connection-refused': {
      heading: 'An der Adresse des Dienstes antwortet niemand',
      advice: 'Es wurde nichts gesendet. Prüfen Sie Adresse und Port oder versuchen Sie es später.',
    },
    'connection-lost': {
      heading: 'Die Verbindung ist abgerissen',
      advice: 'Prüfen Sie das Netz und versuchen Sie es dann noch einmal.',
    },
    'tls-untrusted': {
      heading: 'Dem Zertifikat des Dienstes wird nicht vertraut',
      advice:
        'Es wurde nichts gesendet. Hat Ihre Organisation eine eigene Zertifizierungsstelle, fügen Sie deren Zertifikat der Verbindung hinzu.',
    },
    'tls-failed': {
      heading: 'Es kam keine sichere Verbindung zustande',
      advice: 'Es wurde nichts gesendet. Der Dienst ist vielleicht zu alt, oder ein Gerät dazwischen stört.',
    },
    'proxy-failed': {
      heading: 'Der Proxy hat es nicht durchgelassen',
      advice: 'Es wurde nichts gesendet. Prüfen Sie den Proxy in den Einstellungen der Verbindung.',
    },
    'no-connect-in-time': {
      heading: 'Keine Verbindung in der erlaubten Zeit',
      advice: 'Es wurde nichts gesendet. Versuchen Sie es noch einmal oder erlauben Sie in der Verbindung mehr Zeit.',
    },
    'no-progress-in-time': {
      heading: 'Die Übertragung stand still',
      advice: 'Prüfen Sie das Netz und versuchen Sie es dann noch einmal.',
    },
    'no-answer-in-time': {
      heading: 'Der Dienst hat nicht rechtzeitig geantwortet',
      advice: 'Versuchen Sie es später noch einmal oder erlauben Sie in der Verbindung mehr Zeit.',
    },
    'html-page': {
      heading: 'Statt einer Antwort kam eine Webseite',
      advice: 'Prüfen Sie Adresse und Pfad; vielleicht ist eine Anmeldeseite des Netzes dazwischen.',
    },
    redirected: {
      heading: 'Der Dienst verweist an eine andere Adresse',
      advice:
        'Dem wird zum Schutz der Zugangsdaten nicht gefolgt. Tragen Sie die neue Adresse in die Verbindung ein, wenn Sie ihr vertrauen.',
    },
    'http-status': {
      heading: 'Der Dienst meldet einen Fehlerstatus',
      advice: 'Prüfen Sie den Pfad oder versuchen Sie es später.',
    },
    'early-reply': {
      heading: 'Die Antwort kam, bevor das Dokument gesendet war',
      advice: 'Vielleicht hat etwas zwischen hier und dem Dienst geantwortet. Sehen Sie dort nach.',
    },
    'empty-reply': {
      heading: 'Es kam eine leere Antwort',
      advice: 'Prüfen Sie den Pfad oder versuchen Sie es später.',
    },
    'wrong-reply': {
      heading: 'Die Antwort gehört zu einem anderen Vorgang',
      advice: 'Prüfen Sie Pfade und Namensraum der Verbindung.',
    },
    'truncated-reply': {
      heading: 'Die Antwort war abgeschnitten',
      advice: 'Prüfen Sie das Netz und versuchen Sie es dann noch einmal.',
    },
    'not-xml': { heading: 'Die Antwort war nicht lesbar', advice: 'Prüfen Sie Adresse und Pfad der Verbindung.' },
    'reply-too-large': { heading: 'Die Antwort war zu groß', advice: 'Fragen Sie beim Dienst nach.' },
    'soap-fault': { heading: 'Der Dienst meldet einen Fehler', advice: 'Seine eigenen Worte stehen darunter.' },
    'soap-action-missing': {
      heading: 'Der Dienst braucht die Action in SOAP 1.2',
      advice: 'Schalten Sie in der Verbindung „Action in SOAP 1.2 senden“ ein oder nehmen Sie SOAP 1.1.',
    },
    'negative-code': {
      heading: 'Der Dienst hat abgelehnt',
      advice: 'Er antwortete mit einem Code. Was er bedeutet, steht darunter.',
    },
    'no-document-in-reply': {
      heading: 'Der Dienst hat kein Dokument herausgegeben',
      advice:
        'Es wird vielleicht noch verarbeitet oder ist nicht für Sie freigegeben. Fragen Sie zuerst nach dem Status.',
    },
    'wsdl-unusable': {
      heading: 'Das ist keine brauchbare WSDL',
      advice: 'Prüfen Sie die Adresse (oft endet sie auf ?wsdl) oder wählen Sie eine andere Datei.',
    },
    'port-in-use': {
      heading: 'Der Port ist belegt',
      advice: 'Schließen Sie das Programm, das ihn benutzt, oder starten Sie neu.',
    },
    'keychain-unavailable': {
      heading: 'Der Schlüsselbund des Systems ist nicht benutzbar',
      advice: 'Zugangsdaten werden nur für diesen Lauf behalten.',
    },
    'secret-word-missing': {
      heading: 'Das Geheimwort fehlt',
      advice: 'Es ist nicht mehr gespeichert. Gesendet wurde nichts. Geben Sie es noch einmal ein.',
    },
    'sending-held': {
      heading: 'Das Senden ist angehalten',
      advice:
        'Mehrere Dokumente nacheinander blieben ohne Antwort. Von diesem wurde nichts gesendet. Entscheiden Sie unter Vorgänge.',
    },
    'database-newer': {
      heading: 'Das Register wurde von einem neueren Sealdesk geschrieben',
      advice: 'Benutzen Sie diese Version. Nichts wurde geändert.',
    },
    'database-damaged': {
      heading: 'Das Register ist beschädigt',
      advice: 'Legen Sie eine Kopie davon zurück, oder starten Sie Sealdesk neu, um ein leeres zu beginnen.',
    },
    'database-unreadable': {
      heading: 'Das Register ist nicht lesbar',
      advice: 'Prüfen Sie die Berechtigungen des Ordners und starten Sie Sealdesk neu.',
    },
    'database-missing': {
      heading: 'Das Register ist weg',
      advice: 'Legen Sie eine Kopie davon zurück, oder starten Sie Sealdesk neu, um ein leeres zu beginnen.',
    },
    'database-moving': {
      heading: 'Das Register wird gerade verschoben',
      advice: 'Starten Sie Sealdesk: Es beendet das zuerst.',
    },
  },
  codeLabel: 'Code',
  noteLabel: 'Notiz',
  serviceCodeLabel: 'Code des Dienstes',
  rawLabel: 'Worte des Dienstes',
  referenceLabel: 'Kennung',
  about: '{{subject}}: {{heading}}',
  codeMeaning: 'Code {{code}}: {{meaning}}.',
  codeUnknown: 'Code {{code}} steht nicht in der Tabelle.',
  seemsToBe: 'Kein PDF ({{kind}})',
};
