import { afterEach, expect, it, vi } from 'vitest';
import { absentPrograms } from '../../../scripts/absent-programs.mjs';

afterEach(() => void vi.unstubAllEnvs());

it.skipIf(process.platform !== 'linux')(
  'a run says before its work which programs are missing, those of the clients and the keyring too',
  () => {
    vi.stubEnv('PATH', import.meta.dirname);
    expect(absentPrograms()).toEqual(
      expect.arrayContaining(['qpdf', 'PHP with SOAP', 'gSOAP with a C compiler', 'a D-Bus session', 'a keyring']),
    );
  },
);

it('of a module for Python it says so too', () => {
  // Found beside the programs that are there: a Python that ends with a failure at each import has no such module.
  vi.stubEnv('PYTHONHOME', import.meta.dirname);
  expect(absentPrograms()).toContain('zeep for Python');
});
