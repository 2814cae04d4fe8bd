import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type RecordingService, recordingService } from '../harness/recording-service.ts';

const env = { SEALDESK_API_KEY: 'KEY-91d7', SEALDESK_API_SIG: 'SIG-0b3e' };
const documents = 10;

describe('sealdesk with a register that cannot be used', () => {
  let cli: CommandLine;
  let service: RecordingService;
  let folder = '';
  const path = () => join(folder, 'sealdesk.db');
  const register = (...more: string[]) => cli.run(['register', 'many', ...more, ...service.connection], { env });

  beforeAll(async () => {
    cli = await buildCommandLine();
    folder = join(cli.home, '.config/Sealdesk/command-line');
    mkdirSync(join(cli.home, 'many'));
    for (let n = 0; n < documents; n++) writeFileSync(join(cli.home, 'many', `${n}.pdf`), plainPdf(`many ${n}`));
    service = await recordingService(() => ({ result: '6f9619ff-8b86-d011-b42d-00cf4fc964ff' }));
    expect(await register()).toMatchObject({ code: 0, err: '' });
    cpSync(folder, join(cli.home, 'sound'), { recursive: true, preserveTimestamps: true });
  });
  afterAll(async () => {
    await service.close();
    cli.remove();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    cpSync(join(cli.home, 'sound'), folder, { recursive: true, preserveTimestamps: true });
  });

  const overwrite = (at: number, bytes: Buffer) => {
    const file = readFileSync(path());
    bytes.copy(file, at);
    writeFileSync(path(), file);
  };

  it.each<[string, string, () => void]>([
    [
      'user_version raised',
      'data version 99',
      // Offset 60 of the file (SQLite's file format, 1.3). As a file: a connection of this process would be ended at any time, and touch the folder.
      () => overwrite(60, Buffer.from([0, 0, 0, 99])),
    ],
    ['header overwritten', 'is damaged', () => overwrite(0, randomBytes(100))],
    ['a page zeroed', 'is damaged', () => overwrite(4_096 * 8, Buffer.alloc(4_096))],
    ['cut in half', 'is damaged', () => truncateSync(path(), Math.floor(statSync(path()).size / 8_192) * 4_096)],
    ['cut to nothing', 'is gone or empty', () => truncateSync(path(), 0)],
    ['gone', 'is gone or empty', () => rmSync(path())],
  ])('refuses, sends nothing and touches nothing: %s', async (_what, says, harm) => {
    harm();
    const before = everything(folder);
    const ran = await register('--json');
    expect(ran, ran.err).toMatchObject({ code: 5 });
    expect(ran.lines).toEqual([
      expect.objectContaining({
        ok: false,
        failure: { code: 'storage-unusable', note: expect.stringContaining(says) },
      }),
    ]);
    expect(service.requests).toHaveLength(documents);
    expect(everything(folder)).toEqual(before);
  });

  it('says on stderr that the register is an older copy, and continues', async () => {
    const copy = readFileSync(path());
    writeFileSync(join(cli.home, 'one more.pdf'), plainPdf('one more'));
    expect(await cli.run(['register', 'one more.pdf', ...service.connection], { env })).toMatchObject({
      code: 0,
      err: '',
    });
    for (const end of ['-wal', '-shm', '.closed']) rmSync(path() + end, { force: true });
    writeFileSync(path(), copy);
    const ran = await register();
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(ran.err).toContain('older than what was sent');
    expect(service.requests).toHaveLength(documents + 1);
  });
});

function everything(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((one) => !one.endsWith('-shm'))
      .map((one) => [
        relative(folder, one),
        `${statSync(one).mtimeMs} ${createHash('sha256').update(readFileSync(one)).digest('hex')}`,
      ]),
  );
}
