// `npm run test:package`: is the packaging configuration valid and, where an Electron and the packaging tools are at hand, does the
// packaged and installed program do its main job? Needs `npm run build` before. Environment:
//   ELECTRON_OVERRIDE_DIST_PATH  folder of an Electron distribution to package (else what `npm start` or the tests use)
//   CUSTOM_FPM_PATH              an fpm for the deb package, where electron-builder cannot fetch its own
//   SEALDESK_TESTS               all: the best compression, a bare Debian, an older version, the guide for administrators, and every package with the whole program
//                                in it; ci: that only where files that it guards have changed (package/test-length.mjs)
// The last line counts: `test:package: N passed, N failed, N skipped`.
import { join } from 'node:path';
import { supervise } from './package/supervise.mjs';

const checks = join(import.meta.dirname, 'package', 'checks.mjs');
if (process.platform === 'linux') process.exitCode = await supervise(checks);
else await import(checks);
