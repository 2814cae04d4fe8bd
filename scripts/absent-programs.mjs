import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { which } from './setup.mjs';

/* What some tests compare with or start. Where one is missing they say so themselves, and in CI they fail: here it is said before the work. */

const answers = (program, ...words) => spawnSync(program, words, { stdio: 'ignore' }).status === 0;
// Debian's packages belong to Debian's Python, which need not be the first one in the path.
const python = () => ['/usr/bin/python3', 'python3'].find((name) => answers(name, '-V')) ?? 'python3';
const isOnPath = (...names) => names.every((name) => which(name));

/** Folder of the programs of the newest PostgreSQL server; null if there is none. Debian leaves a folder behind when a server is removed. */
export function postgresPrograms() {
  const folder = '/usr/lib/postgresql';
  if (!existsSync(folder)) return null;
  const newest = readdirSync(folder).sort((one, other) => Number(other) - Number(one));
  return newest.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
}

const programs = {
  pdftotext: () => isOnPath('pdftotext'),
  pdfinfo: () => isOnPath('pdfinfo'),
  qpdf: () => isOnPath('qpdf'),
  'zeep for Python': () => answers(python(), '-c', 'import importlib.util as u; exit(not u.find_spec("zeep"))'),
  'PHP with SOAP': () => answers('php', '-r', 'exit(class_exists("SoapClient") ? 0 : 1);'),
  'gSOAP with a C compiler': () => isOnPath('wsdl2h', 'soapcpp2', 'cc'),
  squid: () => ['/usr/sbin/squid', '/usr/local/sbin/squid'].some((path) => existsSync(path)),
  'a D-Bus session': () => process.platform !== 'linux' || isOnPath('dbus-run-session'),
  'a keyring': () => process.platform !== 'linux' || isOnPath('gnome-keyring-daemon'),
  PostgreSQL: () => postgresPrograms() !== null || Boolean(process.env.SEALDESK_TEST_POSTGRES),
};

export const absentPrograms = () => Object.keys(programs).filter((name) => !programs[name]());
