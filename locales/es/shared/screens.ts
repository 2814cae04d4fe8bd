import type { screens as english } from '../../en/shared/screens.ts';
import type { Translation } from '../../translation.ts';

export const screens: Translation<typeof english, 'es'> = {
  signatures: 'Firmas',
  compose: 'Solicitar firmas',
  bulk: 'Envío masivo',
  answers: 'Respuestas',
  notes: 'Notas',
  start: 'Inicio',
  jobs: 'Actividad',
  documents: 'Documentos',
  register: 'Registrar',
  verify: 'Verificar',
  connections: 'Conexiones',
  settings: 'Configuración',
};
