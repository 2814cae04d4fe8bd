import type { help as english } from '../../en/command-line/help.ts';
import type { Translation } from '../../translation.ts';

export const help: Translation<typeof english, 'es'> = {
  usage: 'Uso:',
  options: 'Opciones:',
  commands: 'Comandos:',
  connection: 'Conexión (si no se indica: el servicio de prueba):',
  version: 'la versión de este programa',
  help: 'esta ayuda',
  helpOf: 'la ayuda de un comando',
  json: 'un objeto JSON por línea en lugar de texto',
  lang: 'idioma de los textos para personas, por ejemplo {{tags}} (LC_ALL, LC_MESSAGES o LANG)',
  examples: 'Ejemplos',
  exitCodes: `Códigos de salida: 0 correcto · 1 rechazado o no confirmado · 2 uso incorrecto · 3 dudoso (enviado, sin respuesta)
4 sin conexión con el servicio · 5 no se pueden usar los registros locales · 6 hecho, pero no se pudo mostrar todo
130 terminado con Ctrl+C`,
  credentials: `Las credenciales se toman del entorno (SEALDESK_API_KEY y SEALDESK_API_SIG) o, si la conexión está guardada,
del llavero del sistema; si no, se piden. Nunca se aceptan en la línea de comandos.`,
  practice: `Sin --connection ni --url, todo va al servicio de prueba, que se inicia para la ocasión: nada sale de este
equipo.`,
};
