import type { builtInNames as english } from '../../en/shared/built-in-names.ts';
import type { Translation } from '../../translation.ts';

export const builtInNames: Translation<typeof english> = {
  practice: 'Übungsdienst',
  lists: { 1: 'Zur Unterschrift', 2: 'Unterschrieben' },
  creditTypes: { 1: 'Dokumentguthaben', 2: 'Prepaid-Guthaben', 3: 'Abonnement' },
};
