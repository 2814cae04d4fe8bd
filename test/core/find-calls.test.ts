import { describe, expect, it } from 'vitest';
import { connect, newCore, newFolder, newService, untilEnded, writePdfs } from './jobs-setup.ts';

async function ready(documentName: string | undefined = 'Lease 2027', bo = 'bo@example.org') {
  const service = await newService();
  const core = await newCore({ dataDir: await newFolder() });
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(await newFolder(), ['lease.pdf']);
  const { token: fileToken } = await core.core.acceptPath(path);
  const { batchId } = await core.must('signatures.request', {
    kind: 'easy-sign',
    connectionId,
    fileToken,
    documentName,
    emails: ['ana@example.org', bo],
    names: ['Ana Petrov', 'Bo Lindqvist'],
    ownerSigns: false,
  });
  await untilEnded(core, batchId);
  await core.must('tracking.refresh', { connectionId });
  await core.until('tracking.changed', ({ lists }) => lists.some(({ total }) => total === 2));
  await core.must('people.save', { email: 'mei@example.org', name: 'Mei Tanaka' });
  return { core, connectionId };
}

describe('the search of the whole program', () => {
  it('finds people of lists and of the address book, requests by document, person and ID, and documents', async () => {
    const { core, connectionId } = await ready();
    const find = (text: string) => core.must('find.all', { connectionId, text });
    const byPerson = await find('petr');
    expect(byPerson.people).toEqual([{ name: 'Ana Petrov', email: 'ana@example.org', hasRequests: true }]);
    const [request] = byPerson.requests;
    expect(request).toMatchObject({
      documentName: 'Lease 2027',
      signerCount: 2,
      signedCount: 0,
      hasUnknown: false,
      people: ['Ana Petrov', 'Bo Lindqvist'],
    });
    expect((await find('leas')).requests).toMatchObject([{ origDocumentId: request?.origDocumentId }]);
    expect((await find(request?.origDocumentId ?? '')).requests).toHaveLength(1);
    expect((await find('LEASE 2027')).documents.map(({ name }) => name)).toContain('Lease 2027');
    expect((await find('tanaka')).people).toEqual([
      { name: 'Mei Tanaka', email: 'mei@example.org', hasRequests: false },
    ]);
    expect(await find('"*')).toEqual({ jobs: [], people: [], requests: [], documents: [] });
    const entry = await core.must('tracking.entry', { connectionId, entryId: request?.entryId ?? '' });
    expect(entry.entry.origDocumentId).toBe(request?.origDocumentId);
  });

  it.each([
    ['ANDR\u00C9@example.org', 'andr\u00E9@example.org'],
    ['andr\u00E9@example.org', 'andre\u0301@example.org'],
  ])('knows that %j has requests as %j', async (listed, kept) => {
    const { core, connectionId } = await ready('Lease', listed);
    await core.must('people.clear', {});
    await core.must('people.save', { email: kept, name: 'Andr\u00E9' });
    await core.must('people.save', { email: 'andre@example.org', name: 'Andre' });
    const { people } = await core.must('find.all', { connectionId, text: 'andre' });
    expect(people.map(({ email, hasRequests }) => [email.normalize('NFC'), hasRequests])).toEqual(
      expect.arrayContaining([
        ['andr\u00E9@example.org', true],
        ['andre@example.org', false],
      ]),
    );
    expect(people).toHaveLength(2);
  });

  it('finds what needs a person, by words of its name and by its people, and who was sent something that no list has', async () => {
    const service = await newService();
    const core = await newCore({ dataDir: await newFolder() });
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(await newFolder(), ['Lease Harbour no. 1205.pdf']);
    const { token: fileToken } = await core.core.acceptPath(path);
    const request = { kind: 'easy-sign' as const, connectionId, fileToken, emails: ['ana@example.org'] };
    const send = async (names: string[]) => {
      const { batchId } = await core.must('signatures.request', { ...request, names, ownerSigns: false });
      await untilEnded(core, batchId);
    };
    await send(['Ana Petrov']);
    const find = (text: string) => core.must('find.all', { connectionId, text });
    expect((await find('petrov')).people).toMatchObject([{ email: 'ana@example.org', hasRequests: true }]);
    expect((await find('lease 1205')).jobs).toEqual([]);
    service.control.misbehave({ mischief: { kind: 'drop-after' } });
    await send(['Greta Weber']);
    const doubt = { title: 'Lease Harbour no. 1205.pdf', state: 'in-doubt', sentTo: 'ana@example.org Greta Weber' };
    for (const text of ['lease 1205', 'weber']) expect((await find(text)).jobs).toMatchObject([doubt]);
  });

  it('calls a request without a name of its own like its file', async () => {
    const { core, connectionId } = await ready('');
    const { requests } = await core.must('find.all', { connectionId, text: 'petr' });
    expect(requests).toMatchObject([{ documentName: 'lease' }]);
  });

  it('gives up a search that another one overtook, and refuses an unknown connection', async () => {
    const { core, connectionId } = await ready();
    const [first, second] = await Promise.all([
      core.ask('find.all', { connectionId, text: 'a' }),
      core.ask('find.all', { connectionId, text: 'ana' }),
    ]);
    expect(first).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(second.ok).toBe(true);
    expect(await core.ask('find.all', { connectionId: 'other', text: 'a' })).toMatchObject({
      failure: { code: 'not-found' },
    });
  });
});

describe('the templates of a service', () => {
  it('are those of the practice service, and none of another one', async () => {
    const { core, connectionId } = await ready();
    const { connections } = await core.must('connections.state', {});
    const practice = connections.find(({ kind }) => kind === 'practice');
    const offered = await core.must('templates.offered', { connectionId: practice?.id ?? '' });
    expect(offered).toContainEqual({ templateId: 'TPL-1002', name: 'Non-disclosure agreement' });
    expect(await core.must('templates.offered', { connectionId })).toEqual([]);
  });
});
