import type { SelectedFile } from '../../../contract/files.ts';

/** The pattern of a document that is called like its file. */
export const fileNamePattern = '{name}';

/** Fills a pattern for one file as the core does (documents.register); for display only. */
export function fillPattern(pattern: string, file: SelectedFile): string {
  const ending = file.name.lastIndexOf('.');
  const parts: Readonly<Record<string, string>> = {
    name: ending > 0 ? file.name.slice(0, ending) : file.name,
    file: file.name,
    folder: file.folder,
    n: String(file.index + 1),
  };
  return pattern.replace(/\{(name|file|folder|n)\}/g, (_whole, key: string) => parts[key] ?? '');
}
