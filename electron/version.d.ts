/** The program's version, put in at build time. */
declare const __VERSION__: string;
/** The oldest Node in which the command line runs, by `engines` in package.json. In Electron it runs in that one's. */
declare const __OLDEST_NODE__: string;
