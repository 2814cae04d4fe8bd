import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../electron/core/verify/pdf-signatures/doubt.ts';
import { checkPath, validityOf } from '../../../electron/core/verify/pdf-signatures/trust/check-path.ts';
import {
  CertificateBag,
  findPaths,
  SignatureChecks,
} from '../../../electron/core/verify/pdf-signatures/trust/find-paths.ts';
import { extension, type Issued, issue, nameOf, usage } from '../../harness/chains.ts';
import { der, integer, oid, sequence, setOf, text } from '../../harness/der.ts';
import { processorMs } from '../../harness/processor-time.ts';
import { makeKey } from '../../harness/signers.ts';
import { atLength } from '../../harness/test-length.ts';

const root = issue({ name: 'Root', authority: true });
const middle = issue({ name: 'Middle', by: root, authority: true });

/** Valid, or why no way from the signer to the root is. */
function judge(signer: Issued, between: readonly Issued[] = [middle], at = '2026-03-03T00:00:00Z', trusted = root) {
  const bag = new CertificateBag();
  const top = bag.add(signer.certificate);
  for (const { certificate } of between) bag.add(certificate);
  const anchor = new CertificateBag().add(trusted.certificate);
  if (!top || !anchor) return 'cannot be read';
  const checks = new SignatureChecks();
  const named = (subject: string) => (subject === anchor.subjectKey ? [{ trusted: null, certificate: anchor }] : []);
  let reason: string | null = null;
  for (const { certificates } of findPaths({ bag, checks, trusted: named }, [top])) {
    try {
      checkPath(certificates);
      const validity = validityOf(certificates, at);
      if (validity === 'valid') return 'valid';
      reason ??= validity;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reason ??= error.message;
    }
  }
  return reason ?? checks.doubt ?? 'no path';
}

const signer = (wanted: Partial<Parameters<typeof issue>[0]> = {}) =>
  issue({ name: 'Jane Doe', by: middle, ...wanted });

describe('a path of certificates', () => {
  it('is valid from the signer up to what is trusted', () => {
    expect(judge(signer())).toBe('valid');
    expect(judge(issue({ name: 'Jane Doe', by: root }), [])).toBe('valid');
    expect(judge(root, [])).toBe('valid');
  });

  it('is none where something is missing, is of another name or has another signature', () => {
    expect(judge(signer(), [])).toBe('no path');
    expect(judge(signer({ issuerName: nameOf('Somebody else') }))).toBe('no path');
    const other = issue({ name: 'Middle', authority: true });
    expect(judge(signer({ by: other }))).toBe('no path');
    expect(judge(issue({ name: 'Jane Doe' }))).toBe('no path');
    const changed = signer();
    changed.certificate[changed.certificate.length - 1] = (changed.certificate.at(-1) ?? 0) ^ 1;
    expect(judge(changed)).toBe('no path');
  });

  it('compares names by their letters, not by their bytes', () => {
    const spaced = sequence(setOf(sequence(oid('2.5.4.3'), der(0x13, Buffer.from('  MIDDLE ')))));
    expect(judge(signer({ issuerName: spaced }))).toBe('valid');
  });

  it('has its dates, each certificate its own', () => {
    expect(judge(signer({ until: '2025-01-01T00:00:00Z' }))).toBe('expired');
    expect(judge(signer({ from: '2027-01-01T00:00:00Z' }))).toBe('not-yet-valid');
    const old = issue({ name: 'Old', by: root, authority: true, until: '2025-01-01T00:00:00Z' });
    expect(judge(signer({ by: old }), [old])).toBe('expired');
    expect(judge(signer({ by: old }), [old], '2024-01-01T00:00:00Z')).toBe('valid');
  });

  it('goes through authorities alone, no more than each allows', () => {
    const person = signer();
    expect(judge(signer({ by: person }), [middle, person])).toMatch(/does not belong to an authority/);
    const noUse = issue({ name: 'No use', by: root, authority: true, usage: usage.lists });
    expect(judge(signer({ by: noUse }), [noUse])).toMatch(/must not be used to certify/);
    const last = issue({ name: 'Last', by: root, authority: 0 });
    expect(judge(signer({ by: last }), [last])).toBe('valid');
    const below = issue({ name: 'Below', by: last, authority: true });
    expect(judge(signer({ by: below }), [last, below])).toMatch(/longer than allowed/);
    const ownName = issue({ name: 'Last', by: last, authority: true });
    expect(judge(signer({ by: ownName }), [last, ownName])).toBe('valid');
  });

  it('is refused where a certificate asks for what is not known here', () => {
    expect(judge(signer({ extensions: [extension('1.2.3.4', der(0x05), true)] }))).toMatch(/not known here/);
    expect(judge(signer({ extensions: [extension('1.2.3.4', der(0x05))] }))).toBe('valid');
    const policies = extension('2.5.29.36', sequence(der(0x80, Buffer.of(0))), true);
    const strict = issue({ name: 'Strict', by: root, authority: true, extensions: [policies] });
    expect(judge(signer({ by: strict }), [strict])).toMatch(/asks for a policy/);
    const twice = [extension('1.2.3.4', der(0x05)), extension('1.2.3.4', der(0x05))];
    expect(judge(signer({ extensions: twice }))).toBe('cannot be read');
  });

  it('takes neither broken digests nor short keys', () => {
    expect(judge(signer({ digest: 'sha1' }))).toMatch(/too weak/);
    const weak = issue({ name: 'Weak', by: root, authority: true, pair: makeKey('rsa-1024') });
    expect(judge(weak, [])).toBe('valid');
    // Written as signed with the algorithm of another key.
    expect(judge(signer({ by: weak }), [weak])).not.toBe('valid');
  });
});

describe('names that an authority may certify', () => {
  const tree = (base: Buffer) => sequence(base);
  const limited = (permitted: readonly Buffer[], excluded: readonly Buffer[] = []) =>
    issue({
      name: 'Limited',
      by: root,
      authority: true,
      extensions: [
        extension(
          '2.5.29.30',
          sequence(
            ...(permitted.length > 0 ? [der(0xa0, ...permitted.map(tree))] : []),
            ...(excluded.length > 0 ? [der(0xa1, ...excluded.map(tree))] : []),
          ),
          true,
        ),
      ],
    });
  const mail = (address: string) => der(0x81, Buffer.from(address));
  const withMail = (address: string, by: Issued) =>
    signer({ by, extensions: [extension('2.5.29.17', sequence(mail(address)))] });
  const organisation = (name: string) => setOf(sequence(oid('2.5.4.10'), text(name)));
  const person = (of: string) => sequence(organisation(of), setOf(sequence(oid('2.5.4.3'), text('Jane Doe'))));

  it('are those of its part of the directory', () => {
    const office = limited([der(0xa4, sequence(organisation('Office')))]);
    expect(judge(signer({ by: office, subject: person('OFFICE') }), [office])).toBe('valid');
    expect(judge(signer({ by: office, subject: person('Other') }), [office])).toMatch(/not allowed to certify/);
    const not = limited([], [der(0xa4, sequence(organisation('Office')))]);
    expect(judge(signer({ by: not, subject: person('Office') }), [not])).toMatch(/not allowed/);
    expect(judge(signer({ by: not, subject: person('Other') }), [not])).toBe('valid');
  });

  it('are those of its hosts, also in the subject', () => {
    const host = limited([mail('office.example')]);
    expect(judge(withMail('jane@Office.example', host), [host])).toBe('valid');
    expect(judge(withMail('jane@sub.office.example', host), [host])).toMatch(/not allowed/);
    expect(judge(withMail('jane@office.example@other.example', host), [host])).toMatch(/not allowed/);
    const subject = sequence(
      setOf(sequence(oid('1.2.840.113549.1.9.1'), der(0x16, Buffer.from('jane@other.example')))),
    );
    expect(judge(signer({ by: host, subject }), [host])).toMatch(/not allowed/);
    const one = limited([mail('jane@office.example')]);
    expect(judge(withMail('jane@office.example', one), [one])).toBe('valid');
    expect(judge(withMail('Jane@office.example', one), [one])).toMatch(/not allowed/);
  });

  it('are refused where their kind is not compared here', () => {
    const other = der(0xa0, oid('1.2.3'), der(0xa0, integer(1)));
    const odd = limited([], [other]);
    const named = signer({ by: odd, extensions: [extension('2.5.29.17', sequence(other))] });
    expect(judge(named, [odd])).toMatch(/not allowed/);
    expect(judge(signer({ by: odd }), [odd])).toBe('valid');
  });
});

describe('what would take for ever', () => {
  it('ends: certificates that certify each other in a circle, and a thousand of one name', async () => {
    const pairs = Array.from({ length: atLength({ short: 8, all: 12 }) }, () => makeKey('p256'));
    const keys = pairs.map((pair, at) => issue({ name: `Ring ${at}`, pair, authority: true }));
    const ring = keys.flatMap((by) =>
      keys.map((one) => issue({ name: one.name, by, pair: one.pair, authority: true })),
    );
    const many = Array.from({ length: 1_000 }, () => issue({ name: 'Ring 0', authority: true }).certificate);
    const [first] = keys;
    const usedMs = await processorMs(() => {
      expect(judge(signer({ by: first }), ring)).toMatch(/more certificates than can be checked/);
      const bag = new CertificateBag();
      const top = bag.add(signer({ by: first }).certificate);
      for (const one of many) bag.add(one);
      const checks = new SignatureChecks();
      if (top) expect([...findPaths({ bag, checks, trusted: () => [] }, [top])]).toEqual([]);
      expect(checks.doubt).toMatch(/more certificates/);
      expect(bag.named(top?.issuer ?? '').length).toBeLessThan(1_000);
    });
    // A second or so.
    expect(usedMs).toBeLessThan(10_000);
  });
});
