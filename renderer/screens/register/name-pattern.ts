import type { SelectedFile } from '../../../contract/files.ts';

/** What the core makes of a pattern (documents.register) for one file: for showing only. */
export function fillPattern(pattern: string, file: SelectedFile, number: number): string {
  const ending = file.name.lastIndexOf('.');
  const parts: Readonly<Record<string, string>> = {
    name: ending > 0 ? file.name.slice(0, ending) : file.name,
    file: file.name,
    folder: file.folder,
    n: String(number),
  };
  return pattern.replace(/\{(name|file|folder|n)\}/g, (_whole, key: string) => parts[key] ?? '');
}
