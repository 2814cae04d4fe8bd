import { describe, expect, it } from 'vitest';
import { sampled } from '../harness/test-length.ts';
import { connect, newCore, newFolder, untilEnded, writePdfs } from './jobs-setup.ts';
import { type Rewrite, rewritten } from './rewriting-service.ts';

/** The details with this value, also where the service left the field out. */
const field =
  (name: string, value: string): Rewrite =>
  (reply) =>
    reply
      .replace(new RegExp(`(<GetDocumentDetailsResult>[\\s\\S]*)<${name}>[^<]*</${name}>`), '$1')
      .replace('</GetDocumentDetailsResult>', `<${name}>${value}</${name}></GetDocumentDetailsResult>`);
const entryForm = /<ESignList>[\s\S]*?<\/ESignList>/g;
/** The entries of the first list that has some, replaced. */
const entries =
  (change: (entries: string[]) => string[]): Rewrite =>
  (reply) => {
    const found = reply.match(entryForm) ?? [];
    if (found.length === 0) return reply;
    const [before, after] = [
      reply.slice(0, reply.indexOf('<ESignList>')),
      reply.slice(reply.lastIndexOf('</ESignList>') + 12),
    ];
    return `${before}${change(found).join('')}${after}`;
  };
const signers = (...emails: string[]): Rewrite =>
  entries(([first = '']) => emails.map((email) => first.replace(/<Email>[^<]*<\/Email>/, `<Email>${email}</Email>`)));

async function ready() {
  const { service, control, rewriteBy, hideTime } = await rewritten();
  const core = await newCore();
  const connectionId = await connect(core, service, { separator: ';', doubtLimit: 100 });
  const [path = ''] = await writePdfs(await newFolder(), ['lease.pdf']);
  const request = async (emails: string[], more: { clientId?: string; ownerSigns?: boolean } = {}) => {
    const { token } = await core.core.acceptPath(path);
    const { batchId } = await core.must('signatures.request', {
      kind: 'plain' as const,
      connectionId,
      fileToken: token,
      creditType: 1,
      emails,
      documentName: 'Lease 7',
      description: 'Ground floor',
      clientId: 'C1',
      ...more,
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
  const look = (jobId: string) => core.must('jobs.reconcile', { jobId });
  return { core, control, connectionId, rewriteBy, hideTime, request, lost, look };
}

describe('a look for a request finds a document only with exactly the people asked', () => {
  it.each(
    sampled(
      [
        [
          'somebody else instead of one',
          ['ann@example.com', 'carl@example.com'],
          ['ann@example.com', 'bob@example.com'],
        ],
        [
          'one more',
          ['ann@example.com', 'carl@example.com'],
          ['ann@example.com', 'carl@example.com', 'dora@example.com'],
        ],
        ['one more than the only one', ['ann@example.com'], ['ann@example.com', 'bob@example.com']],
        ['one more, who comes first', ['ann@example.com'], ['bob@example.com', 'ann@example.com']],
        [
          'one of them twice',
          ['ann@example.com', 'carl@example.com'],
          ['ann@example.com', 'carl@example.com', 'CARL@example.com'],
        ],
      ],
      { short: 3, ci: 2 },
    ),
  )('not with %s', async (_what, asked, listed) => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', asked);
    rewriteBy(signers(...listed));
    expect(await look(jobId)).toMatchObject({
      verdict: 'cannot-tell',
      candidates: [{ email: expect.stringContaining(listed[0] ?? ''), differs: ['email'] }],
    });
  });

  it('says whom the lists show of those asked, and does not call that a difference', async () => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com', 'carl@example.com']);
    rewriteBy(signers('carl@example.com'));
    const [candidate] = (await look(jobId)).candidates;
    expect(await look(jobId)).toMatchObject({ verdict: 'cannot-tell' });
    expect(candidate).toMatchObject({ email: 'carl@example.com', differs: [], unlisted: ['ann@example.com'] });
    expect(candidate?.fits).not.toContain('email');
  });

  it('finds them over several lists, in whatever case and order', async () => {
    const { control, rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com', 'carl@example.com']);
    await control.sign(control.documents()[0]?.documentId ?? '', 'ann@example.com');
    rewriteBy((reply) => reply.replaceAll('carl@example.com', 'CARL@Example.com'));
    expect(await look(jobId)).toMatchObject({ verdict: 'found', candidates: [{ differs: [] }] });
  });

  it.each(sampled(['Ann@XN--BCHER-KVA.example', 'ann@b\u0075\u0308cher.example.'], { short: 2, ci: 1 }))(
    'finds ann@bücher.example as %s',
    async (listed) => {
      const { rewriteBy, lost, look } = await ready();
      const jobId = await lost('drop-after', ['ann@bücher.example', 'carl@example.com']);
      rewriteBy(signers(listed, 'carl@example.com.'));
      expect(await look(jobId)).toMatchObject({ verdict: 'found', candidates: [{ differs: [] }] });
    },
  );

  it('does not hold a signer against it who may be the owner, whose signature was requested', async () => {
    const { lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com'], { ownerSigns: true });
    expect(await look(jobId)).toMatchObject({ verdict: 'found', candidates: [{ differs: [] }] });
    const nameless = await lost('drop-after', ['carl@example.com'], { ownerSigns: true, clientId: '' });
    expect(await look(nameless)).toMatchObject({ verdict: 'cannot-tell', candidates: [{ differs: [] }] });
  });

  it('finds in a list that is read later, without a call, what no list had when it was looked for', async () => {
    const { core, control, connectionId, rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com', 'carl@example.com']);
    const other = await lost('drop-before', ['dora@example.com']);
    rewriteBy(entries(() => []));
    for (const id of [jobId, other]) expect((await look(id)).candidates).toEqual([]);
    rewriteBy((reply) => reply);
    const details = control.requests().GetDocumentDetails;
    const lists = (control.requests().GetESignList ?? 0) + 1;
    await core.must('tracking.refresh', { connectionId, listType: 1 });
    const read = async (id: string) => (await core.must('jobs.read', { jobIds: [id] }))[0]?.look;
    const documentId = control.documents()[0]?.documentId.toLowerCase();
    await expect
      .poll(() => read(jobId))
      .toMatchObject({ verdict: 'cannot-tell', candidates: [{ documentId, differs: [] }] });
    expect((await read(other))?.candidates).toEqual([]);
    expect((await core.must('tracking.groups', { connectionId, request: 'elsewhere' })).total).toBe(0);
    expect(control.requests()).toMatchObject({ GetESignList: lists });
    expect(control.requests().GetDocumentDetails).toBe(details);
  });

  it('nor somebody missing beside the owner', async () => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com', 'carl@example.com'], { ownerSigns: true });
    rewriteBy(signers('carl@example.com', 'owner@example.com'));
    expect(await look(jobId)).toMatchObject({ candidates: [{ differs: [], unlisted: ['ann@example.com'] }] });
  });
});

describe('a look for a request holds the details against an entry that fits', () => {
  it.each(
    sampled(
      [
        ['another name', field('DocumentName', 'Other'), 'document-name'],
        ['a creation years before', field('CreatedDate', '2019-03-01T12:00:00Z'), 'time'],
        ['an empty reference', field('ClientID', ''), 'client-reference'],
        ['another description', field('Description', 'Roof'), 'description'],
        ['an empty description', field('Description', ''), 'description'],
      ] as const,
      { short: 3, ci: 2 },
    ),
  )('%s', async (_what, rewrite, mark) => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    rewriteBy(rewrite);
    expect(await look(jobId)).toMatchObject({ verdict: 'cannot-tell', candidates: [{ differs: [mark] }] });
  });

  it('but not what they leave out', async () => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    rewriteBy((reply) =>
      reply.includes('GetDocumentDetailsR')
        ? reply.replaceAll(/<(DocumentName|CreatedDate|ClientID|Description)>[^<]*<\/\1>/g, '')
        : reply,
    );
    expect(await look(jobId)).toMatchObject({ verdict: 'found', candidates: [{ differs: [] }] });
  });

  it('a reference that was not sent', async () => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com'], { clientId: '' });
    rewriteBy(field('ClientID', 'C9'));
    expect(await look(jobId)).toMatchObject({
      verdict: 'cannot-tell',
      candidates: [{ differs: ['client-reference'] }],
    });
  });
});

describe('a look for a request finds a document only by its time', () => {
  const second = 1_000;
  const hour = 3_600 * second;
  /** The document as if it had been made at another time, in the list and in its details. */
  const made =
    (byMs: number, withoutZone = false): Rewrite =>
    (reply) =>
      reply.replaceAll(/(?<=<CreatedDate>)[^<]+/g, (time) => {
        const moved = new Date(Date.parse(time) + byMs).toISOString();
        return withoutZone ? moved.slice(0, -1) : moved;
      });

  it.each(sampled([20, 590], { short: 2, ci: 1 }))(
    'not one made %i seconds before the attempt, where the service names the time',
    async (seconds) => {
      const { rewriteBy, hideTime, lost, look } = await ready();
      const jobId = await lost('drop-after', ['ann@example.com']);
      rewriteBy(made(-seconds * second));
      expect(await look(jobId)).toMatchObject({ verdict: 'cannot-tell', candidates: [{ differs: ['time'] }] });
      // Where it does not, its clock may be another one.
      hideTime();
      expect(await look(jobId)).toMatchObject({ verdict: 'found', candidates: [{ differs: [] }] });
    },
  );

  it.each(sampled([0, -5, -11.9, 5], { short: 3, ci: 1 }))(
    'not by a time without a zone, %d hours away',
    async (hours) => {
      const { rewriteBy, lost, look } = await ready();
      const jobId = await lost('drop-after', ['ann@example.com'], { clientId: '' });
      rewriteBy(made(hours * hour, true));
      expect(await look(jobId)).toMatchObject({
        verdict: 'cannot-tell',
        candidates: [{ fits: ['email', 'document-name', 'description'], differs: [] }],
      });
    },
  );

  it('or, without a zone, by a reference that nothing else has', async () => {
    const { rewriteBy, request, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    rewriteBy(made(-5 * hour, true));
    expect(await look(jobId)).toMatchObject({ verdict: 'found' });
    rewriteBy(made(-15 * hour, true));
    expect(await look(jobId)).toMatchObject({ verdict: 'not-found' });
    rewriteBy((reply) => reply);
    await request(['bo@example.com']);
    rewriteBy(made(-5 * hour, true));
    expect(await look(jobId)).toMatchObject({ verdict: 'cannot-tell' });
  });

  it('or, without a zone, by a reference that no other doubt has', async () => {
    const { rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    await lost('drop-before', ['bo@example.com']);
    rewriteBy(made(-5 * hour, true));
    expect(await look(jobId)).toMatchObject({ verdict: 'cannot-tell' });
  });
});

describe('a look for a request finds no document whose details were not read', () => {
  const result =
    (inner: string): Rewrite =>
    (reply) =>
      reply.replace(
        /<GetDocumentDetailsResult>[\s\S]*<\/GetDocumentDetailsResult>/,
        `<GetDocumentDetailsResult>${inner}</GetDocumentDetailsResult>`,
      );
  it.each(sampled(['-124', '<Errors>-124</Errors>', 'nothing found', ''], { short: 2, ci: 1 }))(
    'answered with "%s"',
    async (inner) => {
      const { rewriteBy, lost, look } = await ready();
      const jobId = await lost('drop-after', ['ann@example.com']);
      rewriteBy(result(inner));
      expect(await look(jobId)).toMatchObject({
        verdict: 'cannot-tell',
        candidates: [{ differs: [] }],
        questions: [{}, {}, { operation: 'GetDocumentDetails', failure: { code: expect.any(String) } }],
      });
    },
  );
});

describe('a list that the service itself cuts below what was asked', () => {
  it.each(sampled([1, 3, 10, 50, 99, 100, 250], { short: 6, ci: 3 }))(
    'may not reach back to the attempt: %i entries',
    async (count) => {
      const { control, rewriteBy, lost, look } = await ready();
      const jobId = await lost('drop-after', ['ann@example.com']);
      control.fillESignList(300);
      // As many requests since then: all are newer than the attempt.
      const soon = new Date(Date.now() + 3_600_000).toISOString();
      rewriteBy(
        entries((all) =>
          all
            .filter((entry) => !entry.includes('Lease 7'))
            .slice(0, count)
            .map((entry) => entry.replace(/<CreatedDate>[^<]*/, `<CreatedDate>${soon}`)),
        ),
      );
      expect(await look(jobId)).toMatchObject({
        verdict: 'cannot-tell',
        questions: [
          { entries: count, isCutOff: true },
          { entries: 0, isCutOff: false },
        ],
      });
    },
  );

  it('reaches back to it with an older entry', async () => {
    const { request, lost, look } = await ready();
    await request(['bo@example.com']);
    const jobId = await lost('drop-before', ['ann@example.com']);
    await request(['dora@example.com']);
    expect(await look(jobId)).toMatchObject({ verdict: 'not-found', questions: [{ entries: 2, isCutOff: false }, {}] });
  });
});

describe('the document that a person names for a job', () => {
  const bare = (id: string) => id;
  it.each(
    sampled(
      [
        ['plain', bare],
        ['in capitals', (id: string) => id.toUpperCase()],
        ['in small letters', (id: string) => id.toLowerCase()],
        ['in braces', (id: string) => `{${id}}`],
        ['in braces and spaces', (id: string) => ` { ${id.toLowerCase()} } `],
      ],
      { short: 4, ci: 2 },
    ),
  )('is refused if another job made it: %s', async (_what, write) => {
    const { core, connectionId, request, lost } = await ready();
    await request(['bo@example.com']);
    const { rows } = await core.must('documents.list', { connectionId });
    const jobId = await lost('drop-before', ['ann@example.com']);
    const answer = await core.ask('jobs.accept', { jobId, documentId: write(rows[0]?.documentId ?? '') });
    expect(answer).toMatchObject({ failure: { code: 'bad-input', detail: 'id-taken', knownAs: rows[0]?.name } });
  });

  it('is taken without its braces', async () => {
    const { core, control, lost } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    const documentId = control.documents()[0]?.documentId ?? '';
    expect((await core.must('jobs.reconcile', { jobId, documentId: `{${documentId}}` })).verdict).toBe('found');
    await core.must('jobs.accept', { jobId, documentId: ` {${documentId}}` });
    expect((await core.must('jobs.list', { states: ['done'] })).jobs).toMatchObject([{ documentId }]);
  });

  it('counts only if the service was asked and nothing speaks against it, or as a person’s word', async () => {
    const { core, control, rewriteBy, lost, look } = await ready();
    const jobId = await lost('drop-after', ['ann@example.com']);
    const documentId = control.documents()[0]?.documentId ?? '';
    const refused = { failure: { code: 'bad-input', fields: { documentId: expect.any(String) } } };
    expect(await core.ask('jobs.accept', { jobId, documentId })).toMatchObject(refused);
    rewriteBy(field('DocumentName', 'Other'));
    await look(jobId);
    expect(await core.ask('jobs.accept', { jobId, documentId })).toMatchObject(refused);
    await core.must('jobs.accept', { jobId, documentId, isUnchecked: true });
    const kinds = async () => (await core.must('jobs.history', { jobId })).map(({ kind }) => kind).slice(-2);
    expect(await kinds()).toEqual(['accepted', 'unchecked']);
    await core.must('jobs.undoAccept', { jobId });
    rewriteBy((reply) => reply);
    await look(jobId);
    await core.must('jobs.accept', { jobId, documentId });
    expect(await kinds()).toEqual(['done', 'accepted']);
  });

  it.each(
    sampled(
      [
        'notaguid',
        '{}',
        '{notaguid}',
        '11111111-2222-4333-8444-55555555555',
        '11111111222243338444555555555555',
        '00000000-0000-0000-0000-000000000000',
      ],
      { short: 5, ci: 2 },
    ),
  )('is refused if it is no GUID, or the one of nothing: %s', async (documentId) => {
    const { core, lost } = await ready();
    const jobId = await lost('drop-before', ['ann@example.com']);
    expect(await core.ask('jobs.accept', { jobId, documentId })).toMatchObject({
      failure: { code: 'bad-input', fields: { documentId: expect.any(String) } },
    });
    expect((await core.must('jobs.list', { states: ['in-doubt'] })).jobs).toHaveLength(1);
  });
});
