import type { Catalogue } from '../../en/window/window.ts';

export const deDuplicates: Catalogue['duplicates'] = {
  checking: 'Suche nach Dubletten',
  checked: '{{read}} von {{total}} gelesen · {{readBytes}} von {{totalBytes}}',
  stopChecking: 'Nicht warten',
  stopped: 'Nicht alle Dateien wurden verglichen. Jede wird vor dem Senden verglichen; über Dubletten entscheiden Sie.',
  none: 'Keine Dubletten.',
  heading_one: '{{count}} Datei ist schon registriert oder doppelt ausgewählt',
  heading_other: '{{count}} Dateien sind schon registriert oder doppelt ausgewählt',
  list: 'Dubletten',
  all: 'Alle Dubletten',
  each: '{{name}} überspringen oder senden',
  skip: 'Überspringen',
  send: 'Trotzdem senden',
  asDocument: 'Registriert als „{{title}}“, {{when}}',
  asJob: 'Hinzugefügt als „{{title}}“, {{when}}: {{state}}',
  sameAs: 'Gleicher Inhalt wie eine andere ausgewählte Datei',
  open: 'Öffnen',
  openWhat: '{{title}} öffnen',
  nothingLeft: 'Nichts mehr zu registrieren',
  skipped_one: '{{count}} Datei wird übersprungen.',
  skipped_other: '{{count}} Dateien werden übersprungen.',
};
