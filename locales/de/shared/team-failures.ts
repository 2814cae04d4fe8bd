/** What is wrong with a team register, and what to do, by the detail of the failure. */
export const teamFailures = {
  'team-away': {
    heading: 'Das Teamregister ist nicht erreichbar',
    advice: 'Dokumente warten und werden gesendet, sobald es wieder da ist. Nichts geht verloren.',
  },
  'team-login-refused': {
    heading: 'Das Teamregister hat die Anmeldung abgelehnt',
    advice:
      'Prüfen Sie Benutzer und Passwort unter „Verbindungen“, oder fragen Sie Ihre IT-Abteilung, ob dieser Computer zugelassen ist.',
  },
  'team-certificate': {
    heading: 'Dem Zertifikat des Teamregisters wird nicht vertraut',
    advice: 'Wählen Sie die Datei seiner Zertifizierungsstelle und verwenden Sie den Namen, der im Zertifikat steht.',
  },
  'team-not-encrypted': {
    heading: 'Das Teamregister bietet keine Verschlüsselung an',
    advice:
      'Bitten Sie Ihre IT-Abteilung, TLS einzuschalten. Ohne TLS wird nur ein Register auf diesem Computer verwendet.',
  },
  'team-weak-login': {
    heading: 'Die Anmeldung beim Teamregister ist nicht geschützt',
    advice:
      'Es wurde nichts gesendet. Bitten Sie Ihre IT-Abteilung, „scram-sha-256“ für Ihren Benutzer einzustellen oder TLS einzuschalten.',
  },
  'team-password-needed': {
    heading: 'Geben Sie das Passwort für dieses Teamregister ein',
    advice:
      'Das gespeicherte gilt für eine andere Adresse, Datenbank, Zertifizierungsstelle oder einen anderen Benutzer. Geben Sie es unter Verbindungen ein. Es wurde nichts gesendet.',
  },
  'team-missing': {
    heading: 'An dieser Adresse gibt es kein Teamregister',
    advice: 'Prüfen Sie die Namen von Datenbank und Team. Die Leitung richtet es mit „sealdesk-cli team init“ ein.',
  },
  'team-newer': {
    heading: 'Das Teamregister wurde für ein neueres Sealdesk aktualisiert',
    advice: 'Aktualisieren Sie Sealdesk, um zu senden. Bis dahin können Sie lesen, und Dokumente warten.',
  },
  'team-older': {
    heading: 'Das Teamregister ist älter, als dieses Sealdesk braucht',
    advice: 'Die Leitung aktualisiert es mit „sealdesk-cli team init“. Dokumente warten.',
  },
  'team-rights': {
    heading: 'Ihr Benutzer des Teamregisters darf das nicht',
    advice: 'Bitten Sie die Leitung um die Rolle „member“, oder „lead“, um für andere zu entscheiden.',
  },
  'team-too-large': {
    heading: 'Das Teamregister enthält etwas viel zu Großes',
    advice:
      'Die Antwort wurde nicht gelesen, und Dokumente warten. Eine Leitung sollte in den Tabellen des Registers nach einem sehr langen Text suchen.',
  },
  'team-not-a-register': {
    heading: 'Was dort antwortet, ist kein Teamregister',
    advice: 'Nichts wurde gesendet. Prüfen Sie Host und Port. Sealdesk meldet sich nur mit Passwort an.',
  },
  'team-busy': {
    heading: 'Das Teamregister ist belegt',
    advice:
      'Dort sind Änderungen von jemandem nicht abgeschlossen, es gibt keine freie Verbindung, oder es lehnt ab, was verlangt wird. Dokumente warten. Wer die Datenbank verwaltet, sieht den Grund und kann eine solche Sitzung beenden.',
  },
  'team-full': {
    heading: 'Das Teamregister nimmt keine Änderungen an',
    advice:
      'Sein Datenträger ist voll, es ist ein Ersatzserver oder lässt nur Lesen zu. Sagen Sie Ihrer IT-Abteilung Bescheid; Dokumente warten.',
  },
  'team-restored': {
    heading: 'Das Teamregister wurde zurückgesetzt, oder sein Server hat gewechselt',
    advice:
      'Dokumente warten, bis sich alle Programme wieder gemeldet haben und die Leitung „sealdesk-cli team resume“ ausführt.',
  },
  'team-other-service': {
    heading: 'Das Team nutzt einen anderen Dienst',
    advice:
      'Es wurde nichts gesendet. Ein Team hat einen Dienst und ein Konto. Ist es derselbe Dienst unter anderem Namen, treten Sie bei und bestätigen Sie das.',
  },
} as const;
