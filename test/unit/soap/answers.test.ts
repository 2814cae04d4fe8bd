import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../../contract/operation.ts';
import {
  defaultAnswers,
  isBlank,
  negativeCode,
  readAddAnswer,
  readDateTime,
  readStatus,
  readVerdict,
  showsSuccess,
} from '../../../electron/soap/reply/answers.ts';

describe('answers to adds', () => {
  it.each([
    ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', 'document-id'],
    ['3f2504e0-4f89-41d3-9a0c-0305e82c3301 \n', 'document-id'],
    ['https://sign.example/page?id=1', 'url'],
    ['javascript:alert(1)', 'text'],
    ['https://a.example/ <b>', 'text'],
    ['Stored', 'text'],
    ['0', 'text'],
    ['00000000-0000-0000-0000-000000000000', 'text'],
    ['', 'none'],
    ['\u200b', 'none'],
    [null, 'none'],
  ])('%j is %s', (raw, kind) => {
    expect(readAddAnswer(raw)).toMatchObject({ kind, group: kind });
  });
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const page = 'https://sign.example/page?id=1';
  it.each<[string, OperationName[]]>([
    [` ${id} `, ['AddNewDocument', 'AddNewDocumentESign', 'AddNewEasySignDocument', 'AddNewEasySignTemplate']],
    [page, ['AddNewEasySignDocument', 'AddNewEasySignTemplate']],
    ...[
      '00000000-0000-0000-0000-000000000000',
      ...['Fehler', 'Erreur', 'Denied', '0', 'OK', '\u2212141', '\u200b', 'Thanks!', 'DOC-2026/17', 'null'],
      ...['Error: not enough credits', `Sent to ${id}`, `${id} ${id}`, `{${id}}`, 'Sent to 2 signers', '-140'],
    ].map((raw): [string, OperationName[]] => [raw, []]),
  ])('%j shows that the service has it for %j only', (raw, operations) => {
    const adds = ['AddNewDocument', 'AddNewDocumentESign', 'AddNewEasySignDocument', 'AddNewEasySignTemplate'] as const;
    expect(adds.filter((operation) => showsSuccess(operation, readAddAnswer(raw)))).toEqual(operations);
  });
  it.each([
    ['', true],
    [null, true],
    [' \n\u00a0', true],
    ['\u200b', true],
    ['\ufeff\u2060 \u00ad\u2800\u3164', true],
    ['0', false],
    ['\u200b0', false],
    ['\ufffd', false],
  ])('%j shows nothing: %s', (raw, isNothing) => {
    expect(isBlank(raw)).toBe(isNothing);
  });
  it('knows codes and keeps unknown ones', () => {
    expect(readAddAnswer(' -150 ')).toEqual({
      kind: 'code',
      group: 'code',
      meaning: 'The file is not a PDF',
      code: '-150',
    });
    expect(readAddAnswer('-7777')).toEqual({ kind: 'code', group: 'code', meaning: '', code: '-7777' });
    expect(negativeCode('-1.5')).toBeNull();
    expect(negativeCode('-')).toBeNull();
  });
});

it.each([
  ['Processing', 'in-progress'],
  ['completed', 'completed'],
  ['Not Found', 'not-found'],
  ['Invalid Document', 'attention'],
  ['Archived', 'not-sorted'],
  ['', 'not-sorted'],
  [null, 'not-sorted'],
  ['-154', 'attention'],
])('status %j is %s', (raw, group) => {
  expect(readStatus(raw).group).toBe(group);
});

describe('verdicts', () => {
  it.each([
    ['Valid', 'confirmed'],
    ['Valid - superseded version', 'confirmed-with-remark'],
    ['Invalid - changed after registration', 'not-confirmed'],
    ['Invalid - not registered here', 'not-confirmed'],
    ['Valid until tomorrow', 'unclear'],
    ['Not valid', 'unclear'],
    ['constructor', 'unclear'],
    ['', 'unclear'],
    [null, 'unclear'],
    ['-121', 'no-answer'],
    ['-150', 'no-answer'],
    ['-184', 'no-answer'],
    ['-124', 'unclear'],
    ['-100', 'unclear'],
    ['-7777', 'unclear'],
  ])('%j is %s', (raw, group) => {
    expect(readVerdict(raw).group).toBe(group);
  });
  it('uses a table that a person has changed', () => {
    const table = { ...defaultAnswers, verdicts: [{ word: 'Genuine', group: 'confirmed' as const, meaning: 'm' }] };
    expect(readVerdict('GENUINE', table)).toEqual({ kind: 'text', group: 'confirmed', meaning: 'm' });
    expect(readVerdict('Valid', table).group).toBe('unclear');
  });
});

it.each([
  ['2026-11-21T03:20:22.1234567+00:00', '2026-11-21T03:20:22.123Z'],
  ['2026-11-21T03:20:22.9999999', '2026-11-21T03:20:22.999Z'],
  ['2026-11-21T03:20:22+05:30', '2026-11-20T21:50:22.000Z'],
  ['2026-11-21T03:20:22Z', '2026-11-21T03:20:22.000Z'],
  ['2026-11-21T03:20:22', '2026-11-21T03:20:22.000Z'],
  ['2026-02-30T00:00:00', null],
  ['0001-01-01T00:00:00', null],
  ['0001-01-01T00:00:00Z', null],
  ['0001-01-01T00:00:00+02:00', null],
  ['0001-01-01T00:00:00-05:00', null],
  ['9999-12-31T23:59:59.9999999-02:00', null],
  ['21/11/2026', null],
  ['', null],
  [null, null],
])('date %j is %j', (text, iso) => {
  expect(readDateTime(text)).toBe(iso);
});
