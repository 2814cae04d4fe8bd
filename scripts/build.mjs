import { join } from 'node:path';
import { checkNode, nodeBinary, noteBuilt, root, run } from './setup.mjs';

/* npm run build: the window, and beside it everything that runs in Node; then the licences of all that went in. */

const vite = join(root, 'node_modules/vite/bin/vite.js');
const node = (...words) => run(nodeBinary(), words);
const inNode = ['main', 'preload', 'cli', 'preview', 'workers'];

checkNode();
process.exitCode = (await noteBuilt(buildAll)) ? 0 : 1;

async function buildAll() {
  const window = [[vite, 'build', '-c', 'renderer/vite.config.ts']];
  const others = [
    [vite, 'build', '-c', 'renderer/viewer/vite.config.ts', '--logLevel', 'warn'],
    ...inNode.map((mode) => [vite, 'build', '-c', 'scripts/vite.node.config.ts', '--mode', mode]),
  ];
  const areBuilt = await Promise.all([window, others].map(oneByOne));
  return areBuilt.every(Boolean) && (await node('scripts/licences.ts')) === 0;
}

async function oneByOne(steps) {
  for (const words of steps) if ((await node(...words)) !== 0) return false;
  return true;
}
