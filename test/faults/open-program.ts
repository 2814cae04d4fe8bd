import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openStore } from '../../electron/store/store.ts';

/** A program of its own that opens the store of DATA_DIR and says how that went: as JSON, `null` where it went well. */
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
