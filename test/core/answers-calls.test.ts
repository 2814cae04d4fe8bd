import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnswersView } from '../../contract/answers.ts';
import { defaultAnswers } from '../../electron/soap/reply/answers.ts';
import { newCore, newFolder, saying } from './jobs-setup.ts';

const documentId = '6F9619FF-8B86-D011-B42D-00C04FC964FF';
const word = (view: AnswersView, text: string) => view.statuses.find((one) => one.word === text);

describe('words that are not sorted yet', () => {
  it('are recorded once, sorted by staff, then read again everywhere, and can be unsorted', async () => {
    const core = await newCore();
    const connectionId = await saying(core, { GetDocumentStatus: ' Awaiting Seal ', GetDocumentDetails: 'x' });
    const ask = () => core.must('documents.status', { connectionId, documentId });
    expect((await ask()).answer).toMatchObject({ group: 'not-sorted' });
    await ask();
    const { unsorted } = await core.must('answers.table', {});
    expect(unsorted.statuses).toMatchObject([{ word: 'Awaiting Seal', connectionId, count: 2 }]);
    expect(core.events.filter(({ name }) => name === 'answers.changed')).toHaveLength(1);

    const sorted = {
      kind: 'status',
      word: 'awaiting seal',
      group: 'in-progress',
      meaning: 'Waits for the seal',
    } as const;
    const view = await core.must('answers.sort', sorted);
    expect(view.unsorted.statuses).toEqual([]);
    expect(word(view, 'awaiting seal')).toMatchObject({ group: 'in-progress', source: 'own' });
    expect((await ask()).answer).toMatchObject({ group: 'in-progress', meaning: 'Waits for the seal' });
    await core.must('answers.unsort', { kind: 'status', word: 'AWAITING SEAL' });
    expect((await ask()).answer).toMatchObject({ group: 'not-sorted' });
  });

  it('take precedence over built-in words once sorted, until they are unsorted', async () => {
    const core = await newCore({ pauses: { undoMs: 60_000 } });
    await core.must('answers.sort', { kind: 'status', word: 'completed', group: 'attention', meaning: 'Not here' });
    const view = await core.must('answers.table', {});
    expect(view.statuses.filter((one) => one.word.toLowerCase() === 'completed')).toEqual([
      { word: 'completed', group: 'attention', meaning: 'Not here', source: 'own' },
    ]);
    const { removal } = await core.must('answers.unsort', { kind: 'status', word: 'Completed' });
    const back = await core.must('answers.table', {});
    expect(word(back, 'Completed')).toMatchObject({ group: 'completed', source: 'built-in' });
    await core.must('removals.putBack', { removal });
    expect(await core.must('answers.table', {})).toEqual(view);
    const named = await core.must('answers.nameCode', { code: '-4711', meaning: 'Out of wax' });
    expect(named.codes.find(({ code }) => code === '-4711')).toMatchObject({ meaning: 'Out of wax', source: 'own' });
    expect((await core.must('answers.nameCode', { code: '-4711', meaning: '' })).codes).toHaveLength(
      defaultAnswers.codes.size,
    );
  });

  it('stay sorted over a restart', async () => {
    const dataDir = await newFolder();
    const core = await newCore({ dataDir });
    await core.must('answers.sort', { kind: 'verdict', word: 'Looks fine', group: 'confirmed' });
    await core.stop();
    const { verdicts } = await (await newCore({ dataDir })).must('answers.table', {});
    expect(verdicts.find((one) => one.word === 'Looks fine')).toMatchObject({ group: 'confirmed', source: 'own' });
  });
});

describe('a file of answers', () => {
  it('transfers sorted words to another computer', async () => {
    const [core, other, folder] = [await newCore(), await newCore(), await newFolder()];
    await core.must('answers.sort', { kind: 'status', word: 'Sealed', group: 'completed', meaning: 'Done' });
    await core.must('answers.nameCode', { code: '-4711', meaning: 'Out of wax' });
    core.dialogs.targets.push(join(folder, 'answers.json'));
    expect(await core.must('answers.export', {})).toEqual({ fileName: 'answers.json', count: 2 });
    expect(JSON.parse(await readFile(join(folder, 'answers.json'), 'utf8'))).toMatchObject({ sealdesk: 'answers' });
    const { token } = await other.core.acceptPath(join(folder, 'answers.json'));
    expect(await other.must('answers.import', { token })).toEqual({ added: 2, changed: 0 });
    expect(await other.must('answers.import', { token })).toEqual({ added: 0, changed: 2 });
    expect(word(await other.must('answers.table', {}), 'Sealed')).toMatchObject({ group: 'completed' });
  });

  const good = { kind: 'status', word: 'Fine', group: 'completed' };
  const holding = (words: unknown, more = '') =>
    `{"sealdesk":"answers","version":1,"words":${JSON.stringify(words)}${more}}`;
  it.each([
    ['no JSON', 'hello'],
    ['nothing', ' '],
    ['another kind', '{"sealdesk":"templates","version":1,"templates":[]}'],
    ['a newer version', '{"sealdesk":"answers","version":2}'],
    ['a prototype', holding([good], ',"__proto__":{"polluted":true}')],
    ['a foreign key', holding([good], ',"constructor":{}')],
    ['a group of the other kind', holding([good, { ...good, group: 'confirmed' }])],
    ['a word with no group', holding([good, { ...good, group: 'not-sorted' }])],
    ['a number for a word', holding([good, { ...good, word: 7 }])],
    ['an endless word', holding([good, { ...good, word: 'x'.repeat(501) }])],
    ['control characters', holding([good, { ...good, word: 'a\u0000b' }])],
    ['a code that is none', holding([good], ',"codes":[{"code":"; DROP TABLE","meaning":"x"}]')],
    ['too many', holding(Array.from({ length: 5_001 }, (_each, n) => ({ ...good, word: `w${n}` })))],
    ['depth', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ])('with %s is refused as a whole', async (_name, text) => {
    const [core, folder] = [await newCore(), await newFolder()];
    const path = join(folder, 'answers.json');
    await writeFile(path, text);
    const { token } = await core.core.acceptPath(path);
    const before = await core.must('answers.table', {});
    expect(await core.ask('answers.import', { token })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { token: expect.any(String) } },
    });
    expect(await core.must('answers.table', {})).toEqual(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
