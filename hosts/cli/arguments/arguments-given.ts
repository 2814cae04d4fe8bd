/** The words of the command line: of the program in Electron, which is started as `sealdesk --cli -- WORDS` (electron/start.ts), those after the dashes. */
export const argumentsGiven: readonly string[] = process.argv.slice(
  process.versions.electron ? process.argv.indexOf('--') + 1 : 2,
);
