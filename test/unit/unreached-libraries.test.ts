import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { forbiddenAmong, withoutUnreached } from '../../scripts/unreached-libraries.ts';

const standIn = createRequire(import.meta.url)(withoutUnreached.replacement);

describe('libraries that node-soap requires and the program does not use', () => {
  it.each(['axios', 'axios-ntlm', 'xml-crypto', 'formidable'])('replaces %s, and nothing of a similar name', (name) => {
    expect(withoutUnreached.find.test(name)).toBe(true);
    expect(withoutUnreached.find.test(`${name}/lib`) || withoutUnreached.find.test(`my-${name}`)).toBe(false);
  });

  it('puts a module in their place that says so as soon as it is used', () => {
    expect(standIn.__esModule).toBe(true);
    for (const name of ['create', 'NtlmClient', 'SignedXml', 'IncomingForm'])
      expect(() => standIn[name]).toThrow(`${name} is of a library that is left out`);
  });

  it('names those that are in a program all the same, wherever they are installed', () => {
    const modules = [
      '/a/node_modules/soap/lib/soap.js',
      '/a/node_modules/soap/node_modules/axios/index.js',
      '\0/a/node_modules/axios-ntlm/lib/ntlm.js?commonjs',
      'C:\\a\\node_modules\\@xmldom\\xmldom\\lib\\dom.js',
      '/a/electron/axios.ts',
    ];
    expect(forbiddenAmong(modules)).toEqual(['@xmldom/xmldom', 'axios', 'axios-ntlm']);
    expect(forbiddenAmong(['/a/node_modules/zod/index.js', '/a/electron/main.ts'])).toEqual([]);
  });
});
