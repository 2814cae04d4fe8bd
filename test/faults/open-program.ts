import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openStore } from '../../electron/store/store.ts';

/** A separate program that opens the store in DATA_DIR and prints the failure as JSON, `null` on success. */
const { DATA_DIR: dataDir = '' } = process.env;
const quiet = { info: () => undefined, error: () => undefined };
const failure = await openStore({ dataDir, log: quiet }).then(
  ({ store }) => {
    store.close();
    return null;
  },
  (error: unknown) => failureOf(error) ?? String(error),
);
process.stdout.write(JSON.stringify(failure));
