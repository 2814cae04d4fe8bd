import type { Catalogue } from '../../en/window/window.ts';

export const deDrop: Catalogue['drop'] = {
  select_one: 'Loslassen, um {{count}} Datei auszuwählen',
  select_other: 'Loslassen, um {{count}} Dateien auszuwählen',
  selectAny: 'Loslassen zum Auswählen',
  nothingSent: 'Noch wird nichts gesendet',
  verify_one: 'Loslassen, um {{count}} Datei zu prüfen',
  verify_other: 'Loslassen, um {{count}} Dateien zu prüfen',
  verifyAny: 'Loslassen zum Prüfen',
  verifyNote: 'Mit {{connection}}. Prüfungen können kosten; siehe Ihren Vertrag.',
  register_one: 'Loslassen, um {{count}} Dokument hinzuzufügen',
  register_other: 'Loslassen, um {{count}} Dokumente hinzuzufügen',
  registerAny: 'Loslassen zum Hinzufügen',
  document: 'Loslassen, um dies als Dokument zu verwenden',
  replaceDocument: 'Loslassen, um „{{name}}“ zu ersetzen',
  oneDocument: 'Ein Dokument pro Anforderung: loslassen und wählen',
  onlyPdf: 'Nur PDF können unterschrieben werden: loslassen und wählen',
  otherActions: 'Andere Aktion wählen',
  table: 'Loslassen, um dies als Tabelle zu verwenden',
  wsdl: 'Loslassen, um die WSDL zu lesen',
};
