import type { commands as english } from '../../en/command-line/commands.ts';
import type { Translation } from '../../translation.ts';

export const commands: Translation<typeof english> = {
  requestCosts: '{{summary}} Jede Anforderung kostet Guthaben und sendet E-Mails an die Unterzeichner.',
  version: {
    summary: 'Gibt die Version der Schnittstelle des Dienstes aus (GetVersion).',
    practice: 'des Übungsdienstes',
    service: 'eines Dienstes',
  },
  schedule: { summary: 'Gibt den Zeitplan des Dienstes aus (GetSchedule).', json: 'als JSON-Objekt' },
  token: {
    summary: 'Gibt ein Zugangstoken aus (GetAuthToken). Es ist geheim: Achten Sie darauf, wohin die Ausgabe geht.',
    saved: 'mit den Zugangsdaten einer gespeicherten Verbindung',
  },
  register: {
    summary:
      'Registriert PDF-Dokumente (AddNewDocument): Dateien sowie Ordner mit allem darunter. Jedes kostet ein Guthaben.',
    remarks:
      '--name, --description und --client-id dürfen {name} (Dateiname ohne Endung), {file}, {folder} und {n} (1, 2, 3 …) enthalten. Dateien in Ordnern, die keine PDF sind, werden übersprungen. Eine Datei, deren Inhalt über diese Verbindung schon gesendet wurde, wird mit einem Hinweis gesendet oder mit --skip-duplicates übersprungen.',
    one: 'ein Dokument beim Übungsdienst',
    folder: 'ein Ordner über eine gespeicherte Verbindung, als JSON-Zeilen',
  },
  requestSignatures: {
    summary: 'Registriert eine PDF und fordert Unterschriften an (AddNewDocumentESign).',
    two: 'zwei Unterzeichner',
    ownerFirst: 'Sie unterschreiben zuerst',
  },
  easySign: {
    summary: 'Erstellt ein Easy-Sign-Dokument aus einer PDF (AddNewEasySignDocument).',
    copy: 'ein Unterzeichner und eine Kopie',
    xml: 'mit XML-Daten und einem Bild',
  },
  easySignTemplate: {
    summary: 'Erstellt ein Easy-Sign-Dokument aus einer Vorlage des Dienstes (AddNewEasySignTemplate).',
    mail: 'mit eigener E-Mail',
  },
  status: {
    summary: 'Gibt den Bearbeitungsstatus eines Dokuments aus (GetDocumentStatus).',
    saved: 'eines Dokuments über eine gespeicherte Verbindung',
  },
  details: {
    summary: 'Gibt die Einzelheiten Ihres Dokuments aus (GetDocumentDetails).',
    json: 'als JSON-Objekt',
  },
  download: {
    summary: 'Lädt ein Dokument herunter, das Ihnen gehört oder für Sie freigegeben ist (GetDocument).',
    here: 'in diesen Ordner, benannt nach der ID',
    file: 'in eine Datei Ihrer Wahl',
    replace: 'auch wenn es die Datei schon gibt',
  },
  requests: {
    summary: 'Listet Unterschriftsanforderungen auf (GetESignList). Geheimwörter werden weggelassen.',
    out: 'was zur Unterschrift aussteht',
    newest: 'das Neueste zuerst',
    signed: 'was unterschrieben ist, als JSON-Objekt',
  },
  note: {
    summary: 'Legt eine Schnellnotiz an (AddQuickNote). Sie kann Guthaben kosten.',
    description: 'eine Notiz mit Beschreibung',
  },
  jobs: {
    summary:
      'Zeigt, was in den Aufzeichnungen einer Verbindung wartet, ungewiss ist oder zu entscheiden ist, und klärt es.',
    actions: `list               was nicht gut ausgegangen ist: wartend, ungewiss, fragend,
                   abgelehnt, fehlgeschlagen (andere mit --state)
resume JOB…        beendet ihre Pausen, übernimmt, was beendete Programme
                   hinterlassen haben, sendet es und wartet auf das Ende. Auch
                   mit --all; --batch BATCH beendet die Pause eines Stapels,
                   --queue die von allem
cancel JOB…        bricht ab, was noch nicht gesendet wird. Auch mit --all
decide JOB…        mit --send oder --skip: über Dubletten, die auf eine
                   Entscheidung warten; was ein Kollege hat, wird nur mit
                   seinem JOB gesendet
look JOB           fragt den Dienst, was aus einem ungewissen Vorgang geworden
                   ist; mit einer DOCUMENT-ID danach, ob er dieses Dokument
                   ist. Liest nur
accept JOB DOCUMENT-ID
                   klärt einen ungewissen Vorgang: Er wurde dieses Dokument,
                   wenn der Dienst, der danach gefragt wird, nicht widerspricht
send-again JOB…    sendet erneut, was abgelehnt, fehlgeschlagen oder abgebrochen
                   ist; einen ungewissen Vorgang nur mit --yes-send-again
dismiss JOB…       nimmt Beendetes von der Liste; das Register behält die
                   Dokumente. Auch mit --all`,
    others:
      'Vorgänge, an denen ein anderes Programm arbeitet, bleiben diesem überlassen. Ein ungewisser Vorgang bleibt, wie er ist, bis Sie eine dieser Aktionen ausführen.',
    open: 'was offen ist',
    left: 'sendet, was ein abgebrochenes Programm hinterlassen hat',
    lost: 'ob ein verlorener Vorgang angekommen ist',
  },
  verify: {
    summary:
      'Fragt den Dienst, ob Dateien dem Registrierten entsprechen (ValidateDocument): Dateien sowie Ordner mit allem darunter.',
    ends: 'Endet nur mit 0, wenn jede Datei bestätigt ist.',
    audit:
      'Mit --audit wird der Ordner mit allen Antworten gemerkt: Das nächste Mal wird nur nach Neuem und Geändertem gefragt und nur gemeldet, was sich geändert hat oder nicht bestätigt ist.',
    one: 'eine Datei',
    folder: 'ein Ordner, als JSON-Zeilen',
    changed: 'was sich darin seit dem letzten Mal geändert hat',
  },
  practice: {
    summary:
      'Führt den Übungsdienst im Vordergrund aus, bis Sie Strg+C drücken, zum Ausprobieren dieses oder eines anderen Programms.',
    credentials:
      'Seine Zugangsdaten entstehen bei jedem Start neu, gelten nirgends sonst und werden deshalb ausgegeben.',
    same: 'jedes Mal dieselbe Adresse und dieselben Daten',
    lose: 'verliert die Antwort zu einem Dokument',
  },
  doctor: {
    summary: 'Testet eine Verbindung Schritt für Schritt: Name, Netzwerk, Proxy, TLS, SOAP, Zugangsdaten, Easy Sign.',
    json: 'Mit --json ein Objekt je Schritt: answer.group ist passed, failed, unclear oder not-tried, answer.meaning der Schritt;',
    details: 'details.proposal sagt, was zu tun ist, details.elements, welche Elementnamen fraglich sind.',
    unclear:
      'Ein Schritt ist unklar, wenn die Antwort des Dienstes nicht zeigt, ob eine Einstellung stimmt. Das ändert den Rückgabewert nicht.',
    saved: 'eine gespeicherte Verbindung',
  },
  pdfSignatures: {
    summary: 'Was die Unterschriften in PDFs über die Dateien selbst beweisen.',
    asksNobody: 'Fragt keinen Dienst, braucht weder Verbindung noch Netz und schreibt keine Datei.',
    known:
      'Wer bekannt ist, steht in den Zertifikaten und der Vertrauensliste, die die Richtlinie der Organisation nennt, oder in den Optionen. Ein Widerruf ist nur bekannt, wenn die Datei ihn enthält.',
    ends: 'Exitcode 0, wenn jede Datei beantwortet wurde, wie auch immer; ein anderer nur, wenn sich eine Datei nicht öffnen lässt.',
    one: 'eine Datei, für Menschen',
    json: 'ein JSON-Objekt pro Datei',
  },
  trustList: {
    summary:
      'Kürzt Vertrauenslisten (ETSI TS 119 612, wie jedes Land der EU seine veröffentlicht) auf eine Datei für die Richtlinie trustList.',
    unsigned:
      'Behalten werden qualifizierte Dienste für Unterschriften, Siegel und Zeitstempel, mit den Zeiten ihrer Zulassung. Die Unterschrift einer Liste wird nicht geprüft: Holen Sie Listen über https von den Adressen, die die EU nennt.',
    policy: 'Geschrieben wird nur, wenn sich jede Liste lesen lässt.',
    two: 'zwei Listen in einer Datei',
  },
  policy: {
    summary: 'Die Richtlinie der Organisation: was sie festlegt, was sie empfiehlt und was davon nicht verwendbar ist.',
    file: 'Mit FILE wird diese Datei geprüft, und nichts daraus wird wirksam: für alle, die eine Richtlinie schreiben.',
    check: 'Exit-Code 1 bei Fehlern',
  },
  team: {
    summary:
      'Das gemeinsame Register eines Teams auf PostgreSQL: ACTION ist init, status, doctor, invite, join, leave oder resume.',
    password:
      'Das Passwort wird aus SEALDESK_TEAM_PASSWORD gelesen; doctor und join fragen im Terminal danach. join legt es in den Schlüsselbund.',
    plan: 'gibt die Anweisungen aus, ändert nichts',
    carryOut: 'führt sie aus',
    status: 'was vorhanden ist und was der Benutzer darf',
    resume: 'nach einer Wiederherstellung: lässt das Team wieder senden',
    doctor: 'jede Prüfung in einer Zeile; Exit-Code 0, wenn gesendet werden kann',
    join: 'ab hier wird jedes Dokument zuerst im Register beansprucht',
    leave: 'eine Kopie dessen, was andere registriert haben, bleibt; mit --yes auch bei nicht gemeldeten Ergebnissen',
    invite: 'was eine zweite Person braucht, ohne ein Geheimnis',
    letIn: 'legt auch den Benutzer an, ohne Passwort',
    joinInvited: 'mit dem, was in der Einladung steht',
  },
  support: {
    summary:
      'Erstellt einen Bericht für den Support: Versionen, Einstellungen, Verbindungstest, Anzahlen und Protokoll.',
    holds: 'Ohne Geheimnisse, Inhalte, Pfade und Namen von Personen. Lesen Sie die Dateien, bevor Sie sie senden.',
    here: 'eine ZIP-Datei in diesem Ordner',
    folder: 'Textdateien im neuen Ordner report',
  },
};
