import { openStore } from '../../electron/store/store.ts';

/** A program of its own for a test that kills it while it brings a database to the last version. Environment: DATA_DIR. */
const log = { info: () => undefined, error: () => undefined };
process.stdout.write('opening\n');
const { store } = await openStore({ dataDir: process.env.DATA_DIR ?? '', log });
process.stdout.write('opened\n');
store.close();
