import { openStore } from '../../electron/store/store.ts';

/**
 * A separate program for tests that kill it: acts as a person who sets a damaged ledger aside, or takes a repaired one back. Environment: DATA_DIR.
 */
const { DATA_DIR: dataDir = '' } = process.env;
const quiet = { info: () => undefined, error: () => undefined };
const ask = {
  trouble: async () => {
    process.stdout.write('moving\n');
    return 'set-aside' as const;
  },
  mended: async () => {
    process.stdout.write('moving\n');
    return true;
  },
};
const { store } = await openStore({ dataDir, log: quiet, ask });
store.close();
process.stdout.write('ended\n');
