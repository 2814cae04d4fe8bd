import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An authority and the certificates of clients that it issued, in files of a temporary folder. */
export interface ClientCertificates {
  /** PEM of the authority. */
  readonly authority: string;
  /** Path of a file: `ana.p12`, `old.p12` (an encryption that OpenSSL 3 refuses), `expired.p12`, `stranger.p12` (of another authority), `ana.pem`, `ana.key` (with the password). */
  file(name: string): string;
  remove(): void;
}

export const certificatePassword = 'certificate-pass-never-shown';

/** Makes certificates by openssl, anew, so that they do not expire in the repository. */
export function makeClientCertificates(): ClientCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'client-certificates-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...words: readonly string[]) =>
    execFileSync('openssl', [...words], { cwd: folder, stdio: 'ignore' });
  const password = `pass:${certificatePassword}`;
  const authority = (name: string) => {
    const subject = `/O=Office Authority/CN=${name}`;
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    openssl('req', '-x509', ...key, '-days', '9', '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', subject);
    writeFileSync(file(`${name}.cnf`), authorityOf(name));
    writeFileSync(file(`${name}.txt`), '');
    writeFileSync(file(`${name}.srl`), '01\n');
  };
  const issue = (name: string, by: string, subject: string, from: string, until: string) => {
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}-plain.key`, '-out', 'r.csr', '-subj', subject);
    const dates = ['-startdate', from, '-enddate', until];
    openssl('ca', '-batch', '-notext', '-config', `${by}.cnf`, '-in', 'r.csr', '-out', `${name}.pem`, ...dates);
    const pair = ['-in', `${name}.pem`, '-inkey', `${name}-plain.key`, '-passout', password];
    openssl('pkcs12', '-export', ...pair, '-out', `${name}.p12`);
  };
  authority('office');
  authority('elsewhere');
  issue('ana', 'office', '/O=Office/CN=Ana Petrov', '20200101000000Z', '20990101000000Z');
  issue('expired', 'office', '/O=Office/CN=Bo Lindqvist', '20200101000000Z', '20210101000000Z');
  issue('stranger', 'elsewhere', '/O=Elsewhere/CN=Ana Petrov', '20200101000000Z', '20990101000000Z');
  openssl('rsa', '-aes256', '-in', 'ana-plain.key', '-out', 'ana.key', '-passout', password);
  const old = ['-legacy', '-in', 'ana.pem', '-inkey', 'ana-plain.key', '-passout', password];
  openssl('pkcs12', '-export', ...old, '-out', 'old.p12');
  return {
    authority: readFileSync(file('office.pem'), 'utf8'),
    file,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function authorityOf(name: string): string {
  return `[ca]
default_ca = own
[own]
new_certs_dir = .
database = ${name}.txt
serial = ${name}.srl
certificate = ${name}.pem
private_key = ${name}.key
default_md = sha256
policy = any
[any]
organizationName = optional
commonName = supplied
`;
}
