import type { fileVerdicts as english } from '../../en/shared/file-verdicts.ts';
import type { Translation } from '../../translation.ts';

export const fileVerdicts: Translation<typeof english> = {
  unchanged: 'Signé et inchangé depuis',
  'only-additions-allowed': 'Signé ; seuls des ajouts permis depuis',
  changed: 'Modifié après la signature',
  broken: 'La signature ne correspond pas',
  undecidable: 'Signature impossible à juger',
  unsigned: 'Non signé',
};
