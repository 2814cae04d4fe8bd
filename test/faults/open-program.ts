import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openStore } from '../../electron/store/store.ts';

/**
 * A separate program that opens the store in DATA_DIR and prints the failure as JSON, `null` on success. With HARMED it damages that text in the file, which only a look at
 * every page finds, writes, and is killed.
 */
const { DATA_DIR: dataDir = '', HARMED: text } = process.env;
const quiet = { info: () => undefined, error: () => undefined };
const failure = await openStore({ dataDir, log: quiet }).then(
  ({ store }) => {
    if (text) {
      const path = join(dataDir, 'sealdesk.db');
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.from([0xff]), 0, 1, readFileSync(path).indexOf(text));
      closeSync(file);
      store.settings.put('last', 'written');
      process.kill(process.pid, 'SIGKILL');
    }
    store.close();
    return null;
  },
  (error: unknown) => failureOf(error) ?? String(error),
);
process.stdout.write(JSON.stringify(failure));
