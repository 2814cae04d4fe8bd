import type { LocalFile } from './context.ts';

/** Fills {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …); other braces stay as they are. */
export function fillPattern(pattern: string, file: Pick<LocalFile, 'name' | 'folder'>, n: number): string {
  const values: Record<string, string> = {
    '{name}': file.name.replace(/(?<=.)\.[^.]*$/, ''),
    '{file}': file.name,
    '{folder}': file.folder,
    '{n}': String(n),
  };
  return pattern.replaceAll(/\{(?:name|file|folder|n)\}/g, (found) => values[found] ?? found);
}
