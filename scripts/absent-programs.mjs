import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { which } from './setup.mjs';

/* What some tests compare with or start. Where one is missing they say so themselves, and in CI they fail: here it is said before the work. */

const answers = (program, ...words) => spawnSync(program, words, { stdio: 'ignore' }).status === 0;
// Debian's packages belong to Debian's Python, which need not be the first one in the path.
const python = () => ['/usr/bin/python3', 'python3'].find((name) => answers(name, '-V')) ?? 'python3';
const isOnPath = (...names) => names.every((name) => which(name));

/** Debian leaves the folder behind when the server is removed. */
function hasPostgres() {
  const folder = '/usr/lib/postgresql';
  return existsSync(folder) && readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin/initdb')));
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
  PostgreSQL: () => hasPostgres() || Boolean(process.env.SEALDESK_TEST_POSTGRES),
};

export const absentPrograms = () => Object.keys(programs).filter((name) => !programs[name]());
