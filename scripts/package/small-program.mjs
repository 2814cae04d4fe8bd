import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/**
 * Makes a folder that is packed like the program's and says this version: a script in the program's place, with some of its files. What a package does around its
 * content is asked of it in seconds, where packing 240 MB takes minutes.
 */
export function makeSmallProgram(folder, version) {
  mkdirSync(join(folder, 'resources', 'assets'), { recursive: true });
  for (const name of ['samples', 'wsdl']) {
    cpSync(join(root, 'assets', name), join(folder, 'resources', 'assets', name), { recursive: true });
  }
  for (const name of ['sealdesk', 'sealdesk-cli', 'chrome-sandbox']) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho ${version}\n`);
    chmodSync(path, 0o755);
  }
}
