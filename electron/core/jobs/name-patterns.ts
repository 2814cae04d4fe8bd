import type { LocalFile } from '../context.ts';

/** Linux allows any of these in a name, XML hardly one: a file with such a name can still be registered. */
const unprintable = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/**
 * Fills {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …); other braces stay as
 * they are. A control character of the file system's becomes the replacement sign; one that a person typed stays, and is refused.
 */
export function fillPattern(pattern: string, file: Pick<LocalFile, 'name' | 'folder'>, n: number): string {
  const values: Record<string, string> = {
    '{name}': file.name.replace(/(?<=.)\.[^.]*$/, ''),
    '{file}': file.name,
    '{folder}': file.folder,
    '{n}': String(n),
  };
  return pattern.replaceAll(/\{(?:name|file|folder|n)\}/g, (found) =>
    (values[found] ?? found).replaceAll(unprintable, '\ufffd'),
  );
}
