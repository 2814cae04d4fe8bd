import type { filePages as english } from '../../en/shared/file-pages.ts';
import type { Translation } from '../../translation.ts';

export const filePages: Translation<typeof english> = {
  changed_one: 'Geändert auf Seite {{pages}}.',
  changed_other: 'Geändert auf den Seiten {{pages}}.',
  added_one: 'Auf Seite {{pages}} wurde etwas hinzugefügt oder ausgefüllt. Was es verdeckt, wird nicht verglichen.',
  added_other:
    'Auf den Seiten {{pages}} wurde etwas hinzugefügt oder ausgefüllt. Was es verdeckt, wird nicht verglichen.',
};
