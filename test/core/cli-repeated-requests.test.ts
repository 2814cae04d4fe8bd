import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildCommandLine } from '../harness/command-line.ts';
import { plainPdf } from '../harness/pdf.ts';
import { recordingService } from '../harness/recording-service.ts';

const env = { SEALDESK_API_KEY: 'KEY-91d7', SEALDESK_API_SIG: 'SIG-0b3e' };

it('a request that the same people got before is passed over, and sent on request, with a remark', async () => {
  const cli = await buildCommandLine();
  const service = await recordingService(() => ({ result: randomUUID() }));
  onTestFinished(async () => {
    await service.close();
    cli.remove();
  });
  writeFileSync(join(cli.home, 'lease.pdf'), plainPdf('lease'));
  const run = async (...words: string[]) => {
    const ran = await cli.run([...words, '--json', ...service.connection], { env });
    expect(ran, ran.err).toMatchObject({ code: 0 });
    return { err: ran.err, documentId: String(ran.lines[0]?.documentId) };
  };
  const request = (email: string, ...more: string[]) =>
    run('request-signatures', 'lease.pdf', '--email', email, ...more);
  const first = await request('ann@bücher.example');
  expect((await request('bo@example.com')).err + first.err).toBe('');
  const again = await request('Ann@xn--bcher-kva.example', '--send-duplicates');
  expect(again.err).toMatch(/sent, though the same was asked of the same people before \(.+, 20\d\d-.+Z\)/);
  expect(again.err).toContain(first.documentId);
  expect(await request('ann@bücher.example')).toMatchObject({ documentId: first.documentId });
  const fromTemplate = (...more: string[]) => run('easy-sign-template', 'T-1', '--email', 'ann@example.com', ...more);
  const made = await fromTemplate();
  expect(made.err).toBe('');
  expect(await fromTemplate('--name', 'NDA again', '--subject', 'Sign', '--unique-id', 'U-2')).toEqual(made);
  const said = await cli.run(['easy-sign-template', 'T-1', '--email', 'ann@example.com', ...service.connection], {
    env,
  });
  expect(said.out).toContain('sent already (the same request to the same people: T-1)');
  expect(service.requests).toHaveLength(4);
  writeFileSync(join(cli.home, 'fields.xml'), '<fields/>');
  expect((await fromTemplate('--xml-data', 'fields.xml')).err).toBe('');
  expect(service.requests).toHaveLength(5);
  expect((await fromTemplate('--send-duplicates')).err).toContain('the same was asked of the same people before');
  expect(service.requests).toHaveLength(6);
});
