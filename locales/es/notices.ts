import type { texts as english } from '../en/notices.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english, 'es'> = {
  marks: { new: 'Nuevo en «{{list}}»', moved: 'Ahora en «{{list}}»' },
  signed: '{{who}} firmó',
  signatures_one: '{{count}} firma recibida',
  signatures_many: '{{count}} de firmas recibidas',
  signatures_other: '{{count}} firmas recibidas',
  changed_one: '{{count}} solicitud de firma ha cambiado',
  changed_many: '{{count}} de solicitudes de firma han cambiado',
  changed_other: '{{count}} solicitudes de firma han cambiado',
  due: 'Vence: su recordatorio',
  noName: 'Documento sin nombre',
};
