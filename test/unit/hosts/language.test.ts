import { describe, expect, it } from 'vitest';
import { languageTags } from '../../../contract/languages.ts';
import { exitCodes } from '../../../hosts/cli/exit-code.ts';
import { ownFailure } from '../../../hosts/cli/failure-text.ts';
import { languageOf } from '../../../hosts/cli/language.ts';
import { createPrinter } from '../../../hosts/cli/printer.ts';
import { readCommandLine } from '../../../hosts/cli/read-command-line.ts';
import { reportFailure } from '../../../hosts/cli/report.ts';
import { UsageError } from '../../../hosts/cli/usage-error.ts';
import { loadTexts } from '../../../locales/load-texts.ts';

/** The languages as a sentence of the language names them. */
const choiceIn = (language: string) => new Intl.ListFormat(language, { type: 'disjunction' }).format(languageTags);

const german = await loadTexts('de', 'command-line');

/** What a person and a program get for one failure. */
function reported(json: boolean) {
  const out: string[] = [];
  const output = { write: (text: string) => void out.push(text), drained: async () => undefined };
  const printer = createPrinter(german, json, output, { write: () => 0 });
  const failure = ownFailure('file-unreadable', (t) => t('results.unusable.file-empty'), { detail: 'file-empty' });
  reportFailure(printer, { operation: 'AddNewDocument', file: 'a.pdf' }, failure);
  const note = 'connect ECONNREFUSED 127.0.0.1:9';
  reportFailure(printer, { operation: 'GetVersion' }, { code: 'service-unreachable', note, retryable: true });
  return out.join('');
}

describe('the language of the command line', () => {
  it.each<[string[], NodeJS.ProcessEnv, string, string[]]>([
    [['version'], {}, 'en', ['version']],
    [['version'], { LANG: 'de_AT.UTF-8' }, 'de', ['version']],
    [['version'], { LANG: 'de_DE.UTF-8', LC_MESSAGES: 'en_GB.UTF-8' }, 'en', ['version']],
    [['version'], { LC_MESSAGES: 'de_DE@euro', LC_ALL: '' }, 'de', ['version']],
    [['version'], { LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, 'en', ['version']],
    [['version'], { LANG: 'POSIX' }, 'en', ['version']],
    [['version'], { LANG: 'tlh' }, 'en', ['version']],
    [['version', '--lang', 'de'], { LANG: 'en_US' }, 'de', ['version']],
    [['--lang=de-CH', '--help'], {}, 'de', ['--help']],
    [['--lang=de_AT.UTF-8', 'version'], {}, 'de', ['version']],
    [['version', '--lang', 'en', '--json'], { LANG: 'de_DE' }, 'en', ['version', '--json']],
    [['note', '--', '--lang', 'de'], {}, 'en', ['note', '--', '--lang', 'de']],
  ])('of %j with %j is %s', (argv, env, language, words) => {
    const isNamed = argv.length > words.length;
    expect(languageOf(argv, env)).toEqual({ language, isNamed, words });
  });

  it.each([['xx'], [''], ['english']])('is refused if it is %j', (given) => {
    const { language, unknown } = languageOf(['version', '--lang', given], { LANG: 'de_DE.UTF-8' });
    expect(language).toBe('de');
    expect(unknown?.say(german)).toBe(`--lang nimmt ${choiceIn('de')}, nicht ${JSON.stringify(given)}.`);
    expect(unknown?.message).toBe(`--lang takes ${choiceIn('en')}, not ${JSON.stringify(given)}.`);
  });

  it('is that of help and of sentences about a wrong command line', () => {
    const help = readCommandLine(['register', '--help'], german);
    expect(help).toMatchObject({ kind: 'text', wasAskedFor: true });
    const text = help.kind === 'text' ? help.text : '';
    expect(text).toMatch(/^Aufruf: sealdesk-cli register FILE\|FOLDER… \[options\]\n/);
    expect(text).toMatch(/^Optionen:$/m);
    expect(text).toMatch(/^Verbindung \(ohne Angabe: der Übungsdienst\):$/m);
    expect(text).toMatch(/^ {2}--json +ein JSON-Objekt je Zeile statt Text$/m);
    // The order of languages leaves nothing behind.
    expect((readCommandLine(['register', '--help']) as { text: string }).text).toContain('Connection (default:');
    const sentence = (words: string[]) => {
      try {
        readCommandLine(words, german);
      } catch (error) {
        if (error instanceof UsageError) return error.say(german);
      }
      return null;
    };
    expect(sentence(['regster'])).toBe('Es gibt keinen Befehl "regster". Meinten Sie register?');
    expect(sentence(['register', '--nam', 'x'])).toBe('register hat keine Option --nam. Meinten Sie --name?');
    expect(sentence(['register'])).toBe('register braucht FILE|FOLDER….');
  });

  it('does not call a service unreachable that answered what cannot be read', async () => {
    const out: string[] = [];
    const output = { write: (text: string) => void out.push(text), drained: async () => undefined };
    const english = await loadTexts('en', 'command-line');
    const printer = createPrinter(english, false, output, { write: () => 0 });
    const failure = {
      code: 'reply-unreadable',
      note: 'GetAuthToken answered without a token',
      retryable: false,
    } as const;
    expect(reportFailure(printer, { operation: 'GetAuthToken' }, failure)).toBe(exitCodes.notReachable);
    expect(out.join('')).toBe('GetAuthToken answered without a token\n');
  });

  it('is that of results for people, while programs read English', () => {
    expect(reported(false)).toBe(
      'a.pdf: die Datei ist leer\nnicht erreichbar: keine Verbindung zum Dienst (connect ECONNREFUSED 127.0.0.1:9)\n',
    );
    expect(
      reported(true)
        .split('\n')
        .slice(0, 2)
        .map((line) => JSON.parse(line).failure),
    ).toEqual([
      { code: 'file-unreadable', note: 'the file is empty' },
      { code: 'service-unreachable', note: 'connect ECONNREFUSED 127.0.0.1:9' },
    ]);
  });
});
