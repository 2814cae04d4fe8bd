import type { fileVerdicts as english } from '../../en/shared/file-verdicts.ts';
import type { Translation } from '../../translation.ts';

export const fileVerdicts: Translation<typeof english> = {
  unchanged: 'Unterschrieben und seither unverändert',
  'only-additions-allowed': 'Unterschrieben, seither nur erlaubte Ergänzungen',
  changed: 'Nach der Unterschrift geändert',
  broken: 'Unterschrift passt nicht',
  undecidable: 'Unterschrift nicht beurteilbar',
  unsigned: 'Nicht unterschrieben',
};
