import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { Language } from '../../../contract/languages.ts';
import { builtInNames } from '../../../locales/built-in-names.ts';

type Named = Pick<ConnectionSettings, 'lists' | 'creditTypes'>;
type Names = Readonly<Record<number, string>>;

/** The practice connection's name as it is stored until a person changes it. */
export const storedPracticeName = builtInNames.en.practice;

/** The practice connection's name in a language, unless a person gave it another one. */
export function practiceNameIn(language: Language, name: string): string {
  return name === storedPracticeName ? builtInNames[language].practice : name;
}

/** The practice connection's name as it is stored. */
export function practiceNameStored(name: string): string {
  return Object.values(builtInNames).some(({ practice }) => practice === name) ? storedPracticeName : name;
}

/** The settings with the program's own names of lists and credits in a language. Names that a person gave stay. */
export function inLanguage<S extends Named>(language: Language, settings: S): S {
  return renamed(settings, builtInNames.en, builtInNames[language]);
}

/** The settings as they are stored: the program's own names in English, in whichever language they were shown. */
export function asStored<S extends Named>(settings: S): S {
  return Object.values(builtInNames).reduce((before, names) => renamed(before, names, builtInNames.en), settings);
}

interface BuiltIn {
  readonly lists: Names;
  readonly creditTypes: Names;
}

function renamed<S extends Named>(settings: S, from: BuiltIn, to: BuiltIn): S {
  return {
    ...settings,
    lists: renamedRows(settings.lists, from.lists, to.lists),
    creditTypes: renamedRows(settings.creditTypes, from.creditTypes, to.creditTypes),
  };
}

function renamedRows<R extends { readonly value: number; readonly name: string }>(
  rows: readonly R[],
  from: Names,
  to: Names,
): R[] {
  return rows.map((row) => ({ ...row, name: row.name === from[row.value] ? (to[row.value] ?? row.name) : row.name }));
}
