import type { filePages as english } from '../../en/shared/file-pages.ts';
import type { Translation } from '../../translation.ts';

export const filePages: Translation<typeof english, 'es'> = {
  changed_one: 'Modificado en la página {{pages}}.',
  changed_many: 'Modificado en las páginas {{pages}}.',
  changed_other: 'Modificado en las páginas {{pages}}.',
  added_one: 'Se añadió o rellenó algo en la página {{pages}}. Lo que cubre no se compara.',
  added_many: 'Se añadió o rellenó algo en las páginas {{pages}}. Lo que cubre no se compara.',
  added_other: 'Se añadió o rellenó algo en las páginas {{pages}}. Lo que cubre no se compara.',
};
