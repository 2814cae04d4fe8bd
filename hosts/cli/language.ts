import { type Language, languageTags } from '../../contract/languages.ts';
import { languageFor } from '../../locales/choose-language.ts';
import { UsageError } from './usage-error.ts';

interface Spoken {
  readonly language: Language;
  /** True if `--lang` named it. */
  readonly isNamed: boolean;
  /** The words without `--lang` and its value. */
  readonly words: readonly string[];
  /** A value of `--lang` without texts; it is reported in `language`. */
  readonly unknown?: UsageError;
}

/** The language of a run: that of `--lang`, which may stand anywhere, else of the environment. */
export function languageOf(argv: readonly string[], env: NodeJS.ProcessEnv): Spoken {
  const end = argv.indexOf('--');
  const words: string[] = [];
  let given: string | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const isOption = end < 0 || at < end;
    if (isOption && word.startsWith('--lang=')) given = word.slice('--lang='.length);
    else if (isOption && word === '--lang') given = argv[++at] ?? '';
    else words.push(word);
  }
  const own = ofEnvironment(env);
  if (given === undefined) return { language: own, isNamed: false, words };
  const language = languageTags.find((tag) => tagOf(given).toLowerCase().split('-', 1)[0] === tag);
  if (language) return { language, isNamed: true, words };
  const quoted = JSON.stringify(given);
  return {
    language: own,
    isNamed: false,
    words,
    unknown: new UsageError((t) => t('errors.lang', { tags: languageTags, given: quoted })),
  };
}

/** The first of these that is set counts, as for every program of a terminal; `C` and `POSIX` are English. */
function ofEnvironment({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((value) => value) ?? '';
  return languageFor(tagOf(locale), []);
}

/** `de_AT.UTF-8@euro` as a BCP 47 tag. */
function tagOf(locale: string): string {
  return locale.replace(/[.@].*$/, '').replaceAll('_', '-');
}
