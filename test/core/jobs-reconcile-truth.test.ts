import { describe, expect, it } from 'vitest';
import { connect, newCore, newFolder, untilEnded, writePdfs } from './jobs-setup.ts';
import { rewritten } from './rewriting-service.ts';

async function ready() {
  const { service, control } = await rewritten();
  const core = await newCore();
  const connectionId = await connect(core, service, { separator: ';', doubtLimit: 100 });
  const [path = ''] = await writePdfs(await newFolder(), ['lease.pdf']);
  const request = async (emails: string[], more: { clientId?: string; reqOwnerESign?: boolean } = {}) => {
    const { token } = await core.core.acceptPath(path);
    const { batchId } = await core.must('signatures.request', {
      ...{ kind: 'plain' as const, connectionId, fileToken: token, creditType: 1, emails },
      ...{ documentName: 'Lease 7', description: 'Ground floor', clientId: 'C1', ...more },
    });
    const [job] = await untilEnded(core, batchId);
    return job?.id ?? '';
  };
  const lost = async (kind: 'drop-after' | 'drop-before', ...given: Parameters<typeof request>) => {
    control.misbehave({ mischief: { kind }, times: 1 });
    const jobId = await request(...given);
    control.misbehave(null);
    return jobId;
  };
  return { core, control, connectionId, request, lost };
}

describe('the document that a person names for a job', () => {
  const bare = (id: string) => id;
  it.each([
    ['plain', bare],
    ['in capitals', (id: string) => id.toUpperCase()],
    ['in small letters', (id: string) => id.toLowerCase()],
    ['in braces', (id: string) => `{${id}}`],
    ['in braces and spaces', (id: string) => ` { ${id.toLowerCase()} } `],
  ])('is refused if another job made it: %s', async (_what, write) => {
    const { core, connectionId, request, lost } = await ready();
    await request(['bo@example.com']);
    const { rows } = await core.must('documents.list', { connectionId });
    const jobId = await lost('drop-before', ['ann@example.com']);
    const answer = await core.ask('jobs.accept', { jobId, documentId: write(rows[0]?.documentId ?? '') });
    expect(answer).toMatchObject({ failure: { code: 'bad-input', fields: { documentId: expect.any(String) } } });
  });

  it('is taken without its braces', async () => {
    const { core, control, lost } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    const documentId = control.documents()[0]?.documentId ?? '';
    expect((await core.must('jobs.reconcile', { jobId, documentId: `{${documentId}}` })).verdict).toBe('found');
    await core.must('jobs.accept', { jobId, documentId: ` {${documentId}}` });
    expect((await core.must('jobs.list', { states: ['done'] })).jobs).toMatchObject([{ documentId }]);
  });

  it.each(['notaguid', '{}', '{notaguid}', '11111111-2222-4333-8444-55555555555', '11111111222243338444555555555555'])(
    'is refused if it is no GUID: %s',
    async (documentId) => {
      const { core, lost } = await ready();
      const jobId = await lost('drop-before', ['ann@example.com']);
      expect(await core.ask('jobs.accept', { jobId, documentId })).toMatchObject({
        failure: { code: 'bad-input', fields: { documentId: expect.any(String) } },
      });
      expect((await core.must('jobs.list', { states: ['in-doubt'] })).jobs).toHaveLength(1);
    },
  );
});
