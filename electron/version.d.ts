/** The program's version, put in at build time. */
declare const __VERSION__: string;
