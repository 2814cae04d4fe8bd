import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine, commandLineOf } from '../harness/command-line.ts';
import { atLength } from '../harness/test-length.ts';
import { fillDisk, namesOf, programOf, smallDisk } from './fault-runs.ts';
import { limitMs, recordFault } from './fault-table.ts';

describe('a command line on a full disk', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    // The built one has patience for ten seconds.
    const quick = async () => commandLineOf(programOf('cli-program.ts'));
    cli = await atLength({ short: quick, all: buildCommandLine })();
  });
  afterAll(() => cli.remove());

  /** A service, and command lines whose data folder is in `home`. */
  async function start(home: string) {
    const service = await newService();
    const { baseUrl, namespaceUri, mainPath, apiKey, apiSig } = service;
    const where = ['--url', baseUrl, '--namespace', namespaceUri, '--main-path', mainPath, '--json'];
    const env = {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      SEALDESK_API_KEY: apiKey,
      SEALDESK_API_SIG: apiSig,
    };
    const run = (...words: string[]) => cli.run([...words, ...where], { env });
    const added = () => [...service.control.addsByHash().values()];
    return { run, added };
  }

  it(
    'ends with the reason, and nothing is sent',
    async (test) => {
      const home = await smallDisk(test, 10);
      const { run, added } = await start(home);
      const [path = ''] = await writePdfs(await newFolder(), ['a.pdf'], 500_000);
      const free = await fillDisk(home, 1_500_000);
      const ran = await run('register', path);
      expect(ran.lines).toMatchObject([{ ok: false, failure: { code: 'storage-full' } }]);
      expect(ran.code).toBe(1);
      expect(added()).toEqual([]);
      await free();
      expect(await run('register', path)).toMatchObject({ code: 0 });
    },
    limitMs,
  );

  it(
    'ends also if there is room for the copies and none for the ledger',
    async (test) => {
      const { run, added } = await start(await smallDisk(test, 1.5));
      const folder = await newFolder();
      await writePdfs(folder, namesOf(10), 3_000);
      const rounds = atLength({ short: 2, all: 3 });
      let ended = 0;
      for (let round = 0; round < rounds; round += 1) {
        const { lines, code } = await run('register', folder);
        expect(code).not.toBe(0);
        expect(lines.map(({ file }) => file).sort()).toEqual(namesOf(10).map((name) => join(folder, name)));
        ended += 1;
      }
      recordFault({ fault: 'command line without room for its ledger', injected: ended });
      expect(Math.max(0, ...added())).toBeLessThanOrEqual(1);
    },
    limitMs,
  );

  it(
    'names every file if not even the queue can be written, and says that the register cannot be used',
    async (test) => {
      const home = await smallDisk(test, 2);
      const { run, added } = await start(home);
      const folder = await newFolder();
      await writePdfs(folder, namesOf(10), 60_000);
      expect((await run('register', join(folder, '00.pdf'))).code).toBe(0);
      await fillDisk(home, 72 * 1024);
      const { lines, code } = await run('register', folder);
      expect(lines.map(({ file }) => file).sort()).toEqual(namesOf(10).map((name) => join(folder, name)));
      expect(code).toBe(5);
      expect(added()).toEqual([1]);
    },
    limitMs,
  );

  it(
    'has room for more duplicates than the disk could hold',
    async (test) => {
      const { run, added } = await start(await smallDisk(test, 5));
      const folder = await newFolder();
      await writePdfs(folder, namesOf(8), 700_000);
      expect(await run('register', folder)).toMatchObject({ code: 0 });
      const again = await run('register', folder);
      expect(again.lines).toMatchObject(Array.from({ length: 8 }, () => ({ ok: true })));
      expect(again.code).toBe(0);
      expect(added()).toEqual(Array.from({ length: 8 }, () => 1));
    },
    limitMs,
  );
});
