import type { Catalogue } from '../../en/window/window.ts';

export const deDuplicates: Catalogue['duplicates'] = {
  checking: 'Es wird geprüft, ob dieselben Bytes schon registriert sind',
  checked: '{{read}} von {{total}} gelesen · {{readBytes}} von {{totalBytes}}',
  stopChecking: 'Nicht warten',
  stopped:
    'Nicht alle Dateien wurden verglichen. Die Reihe vergleicht jede vor dem Senden und fragt Sie, wo sie dieselben Bytes findet.',
  none: 'Keine davon ist schon registriert.',
  heading_one: '{{count}} davon ist schon registriert oder doppelt unter den Dateien',
  heading_other: '{{count}} davon sind schon registriert oder doppelt unter den Dateien',
  list: 'Dateien mit denselben Bytes',
  all: 'Alle zusammen',
  each: 'Was mit {{name}} geschehen soll',
  skip: 'Auslassen',
  send: 'Trotzdem senden',
  asDocument: 'Registriert als „{{title}}“, {{when}}',
  asJob: 'Aufgenommen als „{{title}}“, {{when}}: {{state}}',
  sameAs: 'Dieselben Bytes wie eine andere dieser Dateien',
  open: 'Öffnen',
  openWhat: '{{title}} öffnen',
  nothingLeft: 'Alle werden ausgelassen: Es gibt nichts zu registrieren.',
  skipped_one: '{{count}} Datei wird ausgelassen: Für sie wird nichts gesendet.',
  skipped_other: '{{count}} Dateien werden ausgelassen: Für sie wird nichts gesendet.',
};
