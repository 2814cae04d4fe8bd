import type { enDrop } from '../../en/window/drop.ts';
import type { Translation } from '../../translation.ts';

export const esDrop: Translation<typeof enDrop, 'es'> = {
  select_one: 'Suelte para seleccionar {{count}} archivo',
  select_many: 'Suelte para seleccionar {{count}} de archivos',
  select_other: 'Suelte para seleccionar {{count}} archivos',
  selectAny: 'Suelte para seleccionar',
  nothingSent: 'Aún no se envía nada',
  verify_one: 'Suelte para verificar {{count}} archivo',
  verify_many: 'Suelte para verificar {{count}} de archivos',
  verify_other: 'Suelte para verificar {{count}} archivos',
  verifyAny: 'Suelte para verificar',
  verifyNote: 'Con {{connection}}. Las consultas pueden tener un coste; vea su contrato.',
  register_one: 'Suelte para añadir {{count}} documento',
  register_many: 'Suelte para añadir {{count}} de documentos',
  register_other: 'Suelte para añadir {{count}} documentos',
  registerAny: 'Suelte para añadir',
  document: 'Suelte para usarlo como documento',
  replaceDocument: 'Suelte para reemplazar «{{name}}»',
  oneDocument: 'Un documento por solicitud: suelte para elegir',
  onlyPdf: 'Solo se pueden firmar PDF: suelte para elegir',
  otherActions: 'Elegir otra acción',
  table: 'Suelte para usarla como hoja de cálculo',
  wsdl: 'Suelte para leer el WSDL',
};
