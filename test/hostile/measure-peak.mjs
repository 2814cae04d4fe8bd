import { writeFileSync } from 'node:fs';

/* Loaded into a command line by NODE_OPTIONS: writes its highest memory, in MB, to the file of PEAK_FILE. */
process.once('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS / 1024)));
