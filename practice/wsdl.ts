import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeXml } from './faults.ts';
import type { Operation } from './interface.ts';

const files: Readonly<Record<Operation['path'], string>> = {
  main: 'practice-main.wsdl',
  'easy-sign': 'practice-easy-sign.wsdl',
};

/** The WSDL of one path with both SOAP ports, with the service's address and element names. */
export async function wsdlFor(
  path: Operation['path'],
  assetsDir: string,
  values: { readonly namespaceUri: string; readonly address: string; readonly wireName: (name: string) => string },
): Promise<string> {
  const template = await readFile(join(assetsDir, 'wsdl', files[path]), 'utf8');
  return template
    .replaceAll('{{namespaceUri}}', escapeXml(values.namespaceUri))
    .replaceAll('{{address}}', escapeXml(values.address))
    .replace(/(<s:element [^>]*name=")(\w+)(")/g, (_all, before: string, name: string, after: string) => {
      return before + values.wireName(name) + after;
    });
}
