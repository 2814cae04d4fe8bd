import type { fileVerdicts as english } from '../../en/shared/file-verdicts.ts';
import type { Translation } from '../../translation.ts';

export const fileVerdicts: Translation<typeof english> = {
  unchanged: 'Firmado y sin cambios desde entonces',
  'only-additions-allowed': 'Firmado; después solo adiciones permitidas',
  changed: 'Modificado después de firmar',
  broken: 'La firma no coincide',
  undecidable: 'Firma imposible de juzgar',
  unsigned: 'Sin firma',
};
