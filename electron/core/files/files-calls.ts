import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileToken } from '../../../contract/files.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Ports } from '../foundation/ports.ts';
import type { Files } from './file-tokens.ts';

/** Calls for choosing files and scanning chosen or dropped ones. */
export function fileCalls(ports: Pick<Ports, 'dialogs' | 'assetsDir'>, files: Files): HandlersOf<'files'> {
  return {
    'files.choose': async ({ kind }) => {
      const paths = await ports.dialogs.chooseFiles(kind);
      return paths && (await acceptAll(files, paths));
    },
    'files.samples': async () => {
      const folder = join(ports.assetsDir, 'samples');
      const names = (await readdir(folder)).filter((name) => /\.pdf$/i.test(name)).sort();
      return await acceptAll(
        files,
        names.map((name) => join(folder, name)),
      );
    },
    'files.scan': async ({ tokens, purpose }) => (await files.scan(tokens, [purpose]))[purpose],
    'files.scanForAll': async ({ tokens }) => {
      const found = await files.scan(tokens, ['register', 'verify']);
      return { ...found, requestable: files.single(found.register.id) };
    },
    'files.page': async ({ intakeId, which, offset, limit }) => {
      const page = files.page(intakeId, offset, limit);
      return { files: which === 'files' ? page.files : [], skipped: which === 'skipped' ? page.skipped : [] };
    },
  };
}

async function acceptAll(files: Files, paths: readonly string[]): Promise<readonly FileToken[]> {
  return await Promise.all(paths.map((path) => files.accept(path)));
}
