import { readFileSync, writeFileSync } from 'node:fs';
import { packSmaller } from './smaller-deb.mjs';
import { withPlainHeader } from './source-date.mjs';

/** electron-builder's hook for each package that it made. With SEALDESK_QUICK_DEB in the environment a deb stays as it is: nobody downloads it. */
export function artifactBuildCompleted({ file }) {
  // 7-Zip notes name and time of the temporary file that it packs.
  if (file.endsWith('.tar.gz')) writeFileSync(file, withPlainHeader(readFileSync(file)));
  if (file.endsWith('.deb') && !process.env.SEALDESK_QUICK_DEB) packSmaller(file);
}
