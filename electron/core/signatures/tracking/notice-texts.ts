import type { TrackedMark } from '../../../../contract/tracking.ts';
import { languageOf } from '../../foundation/language.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** What is said in notifications of the desktop; everything else is worded in the window. */
export interface NoticeTexts {
  one(mark: TrackedMark, list: string, document: string, person: string): NoticeText;
  many(count: number, documents: readonly string[]): NoticeText;
  due(document: string, person: string, note: string): NoticeText;
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');

const en: NoticeTexts = {
  one: (mark, list, document, person) => ({
    title: mark === 'moved' ? `Now in “${list}”` : `New in “${list}”`,
    body: joined([document || 'Document without a name', person]),
  }),
  many: (count, documents) => ({
    title: `${count} signature requests changed`,
    body: joined(documents),
  }),
  due: (document, person, note) => ({
    title: 'Due: your reminder',
    body: joined([document || 'Document without a name', person, note]),
  }),
};

const de: NoticeTexts = {
  one: (mark, list, document, person) => ({
    title: mark === 'moved' ? `Jetzt in „${list}“` : `Neu in „${list}“`,
    body: joined([document || 'Dokument ohne Namen', person]),
  }),
  many: (count, documents) => ({
    title: `${count} Signaturanfragen haben sich geändert`,
    body: joined(documents),
  }),
  due: (document, person, note) => ({
    title: 'Fällig: Ihre Erinnerung',
    body: joined([document || 'Dokument ohne Namen', person, note]),
  }),
};

/** `language`: as in the preferences; `system` takes that of the system. */
export function noticeTexts(language: string): NoticeTexts {
  return languageOf(language) === 'de' ? de : en;
}
