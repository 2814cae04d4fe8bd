import type { builtInNames as english } from '../../en/shared/built-in-names.ts';
import type { Translation } from '../../translation.ts';

export const builtInNames: Translation<typeof english, 'es'> = {
  practice: 'Servicio de prueba',
  lists: { 1: 'Por firmar', 2: 'Firmados' },
  creditTypes: { 1: 'Créditos de documentos', 2: 'Créditos de prepago', 3: 'Suscripción' },
};
