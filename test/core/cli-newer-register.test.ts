import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { filesOf, makeNewer } from '../harness/newer-register.ts';
import { newFolder, newService, writePdfs } from './jobs-setup.ts';

/** After a downgrade. */
describe('a command line on the register of a newer version', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
  });
  afterAll(() => cli.remove());

  it.each(['register', 'jobs'])('ends in words, sends nothing and leaves every file as it is: %s', async (command) => {
    const service = await newService();
    const { baseUrl, namespaceUri, mainPath, apiKey, apiSig } = service;
    const home = cli.inAnotherHome();
    const env = { LANG: 'en_GB.UTF-8', SEALDESK_API_KEY: apiKey, SEALDESK_API_SIG: apiSig };
    const [path = ''] = await writePdfs(await newFolder(), ['a.pdf']);
    const where = ['--url', baseUrl, '--namespace', namespaceUri, '--main-path', mainPath];
    expect(await home.run(['register', path, ...where], { env })).toMatchObject({ code: 0 });
    const sent = service.control.addsByHash().size;

    const dataDir = join(home.env.XDG_CONFIG_HOME ?? '', 'Sealdesk', 'command-line');
    await makeNewer(dataDir);
    const before = filesOf(dataDir);

    const words = command === 'jobs' ? ['jobs', 'list'] : ['register', path];
    const refused = await home.run([...words, ...where], { env });
    expect(refused.code).toBe(5);
    expect(refused.out + refused.err).toContain(
      'Use Sealdesk 9.8.7 or newer. Nothing was changed and nothing was sent.',
    );
    expect(refused.out + refused.err).not.toContain('the service said');
    expect(service.control.addsByHash().size).toBe(sent);
    expect(filesOf(dataDir)).toEqual(before);
    home.remove();
  });
});
