// `npm run test:package`: is the packaging configuration valid and, where an Electron and the packaging tools are at hand, does the
// packaged and installed program do its main job? Needs `npm run build` before. Environment:
//   ELECTRON_OVERRIDE_DIST_PATH  folder of an Electron distribution to package (else what `npm start` or the tests use)
//   CUSTOM_FPM_PATH              an fpm for the deb package, where electron-builder cannot fetch its own
//   SEALDESK_TESTS               all: the best compression, a bare Debian, an older version, the guide for administrators, and every package with the whole program
//                                in it; ci: that only where files that it guards have changed (package/test-length.mjs)
// The last line counts: `test:package: N passed, N failed, N skipped`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';
import { supervise } from './supervise.mjs';

const code = await supervise(join(import.meta.dirname, 'package', 'checks.mjs'));
// What is large lies beside the packages, for links instead of copies.
if (code > 128) {
  for (const name of ['again', 'versions']) rmSync(join(root, 'release', name), { recursive: true, force: true });
}
process.exitCode = code;
