import type { texts as english } from '../en/notices.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english, 'fr'> = {
  marks: { new: 'Nouveau dans « {{list}} »', moved: 'Maintenant dans « {{list}} »' },
  signed: '{{who}} a signé',
  signatures_one: '{{count}} signature reçue',
  signatures_other: '{{count}} signatures reçues',
  signatures_many: '{{count}} signatures reçues',
  changed_one: '{{count}} demande de signature modifiée',
  changed_other: '{{count}} demandes de signature modifiées',
  changed_many: '{{count}} demandes de signature modifiées',
  due: 'Échéance : votre rappel',
  noName: 'Document sans nom',
};
