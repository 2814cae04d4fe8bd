import type { bulkProblemsEn } from '../../en/shared/bulk-problems.ts';
import type { Translation } from '../../translation.ts';

export const bulkProblemsEs: Translation<typeof bulkProblemsEn> = {
  nobody: 'sin firmantes',
  'email-invalid': 'dirección de correo no válida',
  'email-twice': 'la misma dirección dos veces',
  'owner-address': 'la dirección de su propia cuenta',
  'separator-inside': 'contiene el separador',
  'name-missing': 'falta un nombre',
  'file-none': 'sin archivo',
  'file-missing': 'el archivo no está entre los elegidos',
  'file-unusable': 'el archivo no se puede usar',
  'template-none': 'sin plantilla',
  'cell-too-long': 'demasiado largo',
  'cell-unusable': 'contiene caracteres que no se pueden enviar',
  'same-template': 'Mismas personas y plantilla que la fila {{row}}',
  'same-file': 'Mismas personas y archivo que la fila {{row}}',
  'already-sent': 'Ya enviada a las mismas personas: {{time}}',
  'maybe-sent': 'Dudosa: quizá ya enviada a las mismas personas, sin respuesta {{time}}',
  'being-sent': 'En espera o enviándose a las mismas personas: {{time}}',
};
