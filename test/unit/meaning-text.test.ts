import { describe, expect, it } from 'vitest';
import { defaultAnswers, readAddAnswer, readStatus } from '../../electron/soap/reply/answers.ts';
import { createTexts } from '../../renderer/app/i18n.ts';
import { codeText } from '../../renderer/bridge/failure-text.ts';
import { meaningText } from '../../renderer/features/jobs/meaning-text.ts';

const { t: english } = await createTexts('en', ['en-GB']);
const { t: german } = await createTexts('de', ['de-DE']);

const { statuses, verdicts, codes } = defaultAnswers;
const builtIn = [
  ...[...statuses, ...verdicts].map(({ meaning }) => ({ meaning })),
  ...[...codes].map(([code, { meaning }]) => ({ meaning, code })),
  ...['', 'https://sign.example/', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'].map((raw) => readAddAnswer(raw)),
];

describe('what answers mean', () => {
  it.each(builtIn)('is said in the language of the window: $meaning $code', (answer) => {
    expect(meaningText(english, answer)).toBe(answer.meaning);
    expect(meaningText(german, answer)).not.toBe(answer.meaning);
    expect(meaningText(german, answer)).toMatch(/^[A-ZÄÖÜ]/);
  });

  it('stays as it is where somebody wrote it, for words and for codes', () => {
    expect(meaningText(german, { meaning: 'Ask the records office' })).toBe('Ask the records office');
    const own = { meaning: 'Our scanner made it too large.', code: '-143' };
    expect(meaningText(german, own)).toBe(own.meaning);
    expect(codeText(german, own.code, own.meaning)).toBe('Code -143: Our scanner made it too large.');
    expect(codeText(german, '-143', codes.get('-143')?.meaning)).toBe('Code -143: die Datei ist zu groß.');
    expect(codeText(german, '-143')).toBe('Code -143: die Datei ist zu groß.');
    expect(codeText(german, '-7777')).toBe('Code -7777 ist unbekannt.');
  });

  it('is empty where the table says nothing', () => {
    expect(meaningText(german, readStatus('Archived'))).toBe('');
  });
});
