import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { fillDisk, smallDisk } from './fault-runs.ts';
import { limitMs } from './fault-table.ts';

/** Takes ten seconds, the patience of the command line. */
describe('a command line on a full disk', () => {
  let cli: CommandLine;
  beforeAll(() => {
    cli = buildCommandLine();
  });
  afterAll(() => cli.remove());

  it(
    'ends with the reason, and nothing is sent',
    async (test) => {
      const home = await smallDisk(test, 10);
      const [service, folder] = [await newService(), await newFolder()];
      const [path = ''] = await writePdfs(folder, ['a.pdf'], 500_000);
      const { baseUrl, namespaceUri, mainPath, apiKey, apiSig } = service;
      const free = await fillDisk(home, 1_500_000);
      const where = ['--url', baseUrl, '--namespace', namespaceUri, '--main-path', mainPath];
      const env = {
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        SEALDESK_API_KEY: apiKey,
        SEALDESK_API_SIG: apiSig,
      };
      const ran = await cli.run(['register', path, '--json', ...where], { env });
      expect(ran.lines).toMatchObject([{ ok: false, failure: { code: 'storage-full' } }]);
      expect(ran.code).toBe(1);
      expect([...service.control.addsByHash().values()]).toEqual([]);
      await free();
      expect(await cli.run(['register', path, '--json', ...where], { env })).toMatchObject({ code: 0 });
    },
    limitMs,
  );
});
