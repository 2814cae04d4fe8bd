/** What is wrong with a team register, and what to do, by the detail of the failure. */
export const teamFailures = {
  'team-away': {
    heading: 'No se puede acceder al registro del equipo',
    advice: 'Los documentos esperan y se envían en cuanto vuelva. No se pierde nada.',
  },
  'team-login-refused': {
    heading: 'El registro del equipo rechazó el inicio de sesión',
    advice:
      'Compruebe usuario y contraseña en Conexiones, o pregunte a su departamento de TI si este equipo está admitido.',
  },
  'team-certificate': {
    heading: 'El certificado del registro del equipo no es de confianza',
    advice: 'Elija el archivo de su autoridad de certificación y use el nombre que figura en el certificado.',
  },
  'team-not-encrypted': {
    heading: 'El registro del equipo no ofrece cifrado',
    advice: 'Pida a su departamento de TI que active TLS. Sin él solo se usa un registro en este equipo.',
  },
  'team-weak-login': {
    heading: 'El inicio de sesión en el registro del equipo no está protegido',
    advice:
      'No se envió nada. Pida a su departamento de TI que configure «scram-sha-256» para su usuario o que active TLS.',
  },
  'team-password-needed': {
    heading: 'Introduzca la contraseña de este registro del equipo',
    advice:
      'La guardada es para otra dirección, base de datos, usuario o autoridad de certificación. Introdúzcala en Conexiones. No se envió nada.',
  },
  'team-missing': {
    heading: 'No hay ningún registro del equipo en esta dirección',
    advice:
      'Compruebe los nombres de la base de datos y del equipo. Un responsable lo crea con «sealdesk-cli team init».',
  },
  'team-newer': {
    heading: 'El registro del equipo se actualizó para un Sealdesk más nuevo',
    advice: 'Actualice Sealdesk para enviar. Hasta entonces puede leer y los documentos esperan.',
  },
  'team-older': {
    heading: 'El registro del equipo es más antiguo de lo que necesita este Sealdesk',
    advice: 'Un responsable lo actualiza con «sealdesk-cli team init». Los documentos esperan.',
  },
  'team-rights': {
    heading: 'Su usuario del registro del equipo no puede hacer esto',
    advice: 'Pida a un responsable el rol «member», o «lead» para decidir por otros.',
  },
  'team-too-large': {
    heading: 'El registro del equipo contiene algo demasiado grande',
    advice:
      'Su respuesta no se leyó y los documentos esperan. Un responsable debería buscar un texto muy largo en las tablas del registro.',
  },
  'team-not-a-register': {
    heading: 'Lo que responde allí no es un registro del equipo',
    advice: 'No se envió nada. Compruebe el host y el puerto. Sealdesk solo inicia sesión con contraseña.',
  },
  'team-busy': {
    heading: 'El registro del equipo está ocupado',
    advice:
      'Alguien no ha terminado allí sus cambios, no quedan conexiones libres o rechaza lo que se le pide. Los documentos esperan. Quien administra la base de datos puede ver el motivo y cerrar una sesión así.',
  },
  'team-full': {
    heading: 'El registro del equipo no admite cambios',
    advice:
      'Su disco está lleno, es un servidor de reserva o solo admite lectura. Avise a su departamento de TI; los documentos esperan.',
  },
  'team-restored': {
    heading: 'El registro del equipo se restauró o cambió de servidor',
    advice:
      'Los documentos esperan hasta que todos los programas hayan vuelto a informar y un responsable ejecute «sealdesk-cli team resume».',
  },
  'team-other-service': {
    heading: 'El equipo usa otro servicio',
    advice:
      'No se envió nada. Un equipo tiene un servicio y una cuenta. Si es el mismo servicio con otro nombre, únase y confírmelo.',
  },
} as const;
