import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readElement } from '../../electron/core/verify/pdf-signatures/cms/asn1.ts';
import { orNull, Refusal } from '../../electron/core/verify/pdf-signatures/doubt.ts';
import { checkPath, validityOf } from '../../electron/core/verify/pdf-signatures/trust/check-path.ts';
import {
  CertificateBag,
  findPaths,
  SignatureChecks,
} from '../../electron/core/verify/pdf-signatures/trust/find-paths.ts';
import { revocationOf } from '../../electron/core/verify/pdf-signatures/trust/judge-signers.ts';
import { readRevocationList } from '../../electron/core/verify/pdf-signatures/trust/revocation-lists.ts';

/** NIST PKITS: certification paths with known answers, beside the repository. */
const folder = resolve(import.meta.dirname, '../../../shared/corpora/pkits');
const hasCorpus = existsSync(join(folder, 'pkits.json'));
const at = '2022-05-01T00:00:00Z';

interface Case {
  readonly id: string;
  readonly name: string;
  readonly cert: string;
  readonly other_certs?: readonly string[];
  readonly crls?: readonly string[];
  readonly revocation?: boolean;
  readonly params?: object;
  readonly error?: object;
}

const inScope = [1, 2, 3, 4, 5, 6, 7, 13, 16];

/** Valid, or why not. */
function judge({ cert, other_certs = [], crls = [], revocation = true, params }: Case): string {
  if (params) return 'asks for policies, which are not checked here';
  const bag = new CertificateBag();
  const bytesOf = (kind: string, name: string) => readFileSync(join(folder, kind, name));
  const signer = bag.add(bytesOf('certs', cert));
  for (const name of other_certs) bag.add(bytesOf('certs', name));
  const anchor = new CertificateBag().add(bytesOf('certs', 'TrustAnchorRootCertificate.crt'));
  if (!signer || !anchor) return 'cannot be read';
  const lists = ['TrustAnchorRootCRL.crl', ...crls].flatMap(
    (name) => orNull(() => readRevocationList(readElement(bytesOf('crls', name)))) ?? [],
  );
  const checks = new SignatureChecks();
  const trusted = (subject: string) => (subject === anchor.subjectKey ? [{ trusted: null, certificate: anchor }] : []);
  const source = { bag, checks, trusted };
  let reason = checks.doubt ?? 'no path';
  for (const path of findPaths(source, [signer])) {
    try {
      checkPath(path.certificates);
      const validity = validityOf(path.certificates, at);
      const found = revocation ? revocationOf(source, { lists, answers: [] }, path, at) : { state: 'good' };
      if (validity === 'valid' && found?.state === 'good') return 'valid';
      reason = validity === 'valid' ? (found?.state ?? 'not known whether revoked') : validity;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reason = error.message;
    }
  }
  return reason === 'no path' ? (checks.doubt ?? reason) : reason;
}

/** Valid paths that are refused in these sections, and why. */
const refusedInScope: Readonly<Record<string, string>> = {
  // DSA with SHA-1, and keys that leave out their parameters.
  valid_dsa_signatures_test4: 'A certificate is signed with an algorithm that is too weak.',
  valid_dsa_parameter_inheritance_test5: 'A certificate is signed in a way that is not known here.',
};

/* Skipped where the files are not beside the repository: test/unit/verify/trust-paths.test.ts makes its own. */
it.skipIf(!hasCorpus)('no invalid path of NIST PKITS is taken, and hardly a valid one refused', () => {
  const cases = JSON.parse(readFileSync(join(folder, 'pkits.json'), 'utf8')) as readonly Case[];
  const answers = cases.map((one) => ({ ...one, section: Number(one.id.slice(1, 3)), answer: judge(one) }));
  console.info(tableOf(answers));
  const taken = answers.filter(({ error, answer }) => error && answer === 'valid');
  const refused = answers.filter(
    ({ error, section, answer }) => !error && inScope.includes(section) && answer !== 'valid',
  );
  expect(cases).toHaveLength(246);
  expect(taken.map(({ name }) => name)).toEqual([]);
  expect(Object.fromEntries(refused.map(({ name, answer }) => [name, answer]))).toEqual(refusedInScope);
});

type Judged = Case & { readonly section: number; readonly answer: string };

/** By section: invalid ones that were taken, valid ones that were refused, and why. */
function tableOf(answers: readonly Judged[]): string {
  return [...new Set(answers.map(({ section }) => section))]
    .map((section) => {
      const [invalid, valid] = [true, false].map((is) =>
        answers.filter((one) => one.section === section && !one.error !== is),
      );
      const taken = invalid?.filter(({ answer }) => answer === 'valid') ?? [];
      const refused = valid?.filter(({ answer }) => answer !== 'valid') ?? [];
      const why = [...new Set(refused.map(({ answer }) => answer))].join('; ');
      const scope = inScope.includes(section) ? '' : ' (not in scope)';
      return `4.${section}${scope}: invalid ${invalid?.length}, taken ${taken.length}; valid ${valid?.length}, refused ${refused.length} ${why}`;
    })
    .join('\n');
}
