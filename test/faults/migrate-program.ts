import { openStore } from '../../electron/store/store.ts';

/** A separate program for a test that kills it while it migrates a database to the latest version. Environment: DATA_DIR. */
const log = { info: () => undefined, error: () => undefined };
process.stdout.write('opening\n');
const { store } = await openStore({ dataDir: process.env.DATA_DIR ?? '', log });
process.stdout.write('opened\n');
store.close();
