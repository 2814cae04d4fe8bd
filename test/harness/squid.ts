import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { freePort } from './free-port.ts';
import { missing } from './missing-means.ts';

/** A squid on loopback. */
export interface Squid {
  readonly port: number;
  /** Method, address and status of each request that has ended, as squid writes them to its access log. */
  requests(): Promise<readonly string[]>;
  /** Resolves when squid has written of a request that matches. */
  saw(pattern: RegExp): Promise<string>;
  close(): Promise<void>;
}

interface Wish {
  /** `basic`: asks for `user` and `password`. `ntlm`: asks for a Windows sign-in. */
  readonly asks?: 'nothing' | 'basic' | 'ntlm';
  /** Names that lead to 127.0.0.1. */
  readonly hosts?: readonly string[];
}

export const squidUser = { user: 'ana@office', password: 'proxy-päss-never-shown' };

const program = ['/usr/sbin/squid', '/usr/local/sbin/squid'].find((file) => existsSync(file));
const helpers = '/usr/lib/squid';

/** Whether this machine has squid. */
export const hasSquid = program !== undefined;

/** Skips the test if this machine has no squid. */
export function needsSquid(context: TestContext): void {
  if (!program) missing(context, 'squid is not installed');
}

/** Starts squid in a temporary folder, as a process of its own that ends with `close`. */
export async function startSquid({ asks = 'nothing', hosts = [] }: Wish = {}): Promise<Squid> {
  const folder = await mkdtemp(join(tmpdir(), 'squid-'));
  const port = await freePort();
  await writeFile(join(folder, 'hosts'), `127.0.0.1 localhost ${hosts.join(' ')}\n`);
  await writeFile(join(folder, 'squid.conf'), configuration(folder, port, asks));
  const hash = execFileSync('openssl', ['passwd', '-apr1', '-stdin'], { input: squidUser.password }).toString().trim();
  await writeFile(join(folder, 'users'), `${squidUser.user}:${hash}\n`);
  // Started as root it becomes a user of its own.
  await chmod(folder, 0o777);
  const service = `t${process.pid}x${port}`;
  const child = spawn(program ?? 'squid', ['-N', '-n', service, '-f', join(folder, 'squid.conf')], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await accepts(port, () => child.exitCode !== null || child.signalCode !== null);
  const requests = async () => {
    const text = await readFile(join(folder, 'access.log'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  };
  return {
    port,
    requests,
    saw: async (pattern) => {
      for (;;) {
        const found = (await requests()).find((line) => pattern.test(line));
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number, asks: Wish['asks']): string {
  const signIn = {
    nothing: ['http_access allow all'],
    basic: [
      `auth_param basic program ${helpers}/basic_ncsa_auth ${join(folder, 'users')}`,
      'auth_param basic children 1 startup=1 idle=1',
      'auth_param basic realm office',
      'auth_param basic utf8 on',
      'acl known proxy_auth REQUIRED',
      'http_access allow known',
      'http_access deny all',
    ],
    ntlm: [
      `auth_param ntlm program ${helpers}/ntlm_fake_auth`,
      'auth_param ntlm children 1 startup=1 idle=1',
      'acl known proxy_auth REQUIRED',
      'http_access allow known',
      'http_access deny all',
    ],
  }[asks ?? 'nothing'];
  return [
    `http_port 127.0.0.1:${port}`,
    'pid_filename none',
    'logformat short %rm %ru %>Hs',
    `access_log stdio:${join(folder, 'access.log')} short`,
    `cache_log ${join(folder, 'cache.log')}`,
    'cache_store_log none',
    'cache deny all',
    'cache_mem 0 MB',
    'netdb_filename none',
    'pinger_enable off',
    `coredump_dir ${folder}`,
    `hosts_file ${join(folder, 'hosts')}`,
    'dns_nameservers 127.0.0.1',
    'visible_hostname office-proxy',
    'shutdown_lifetime 0 seconds',
    'acl refused dstdomain refused.example',
    'http_access deny refused',
    ...signIn,
    '',
  ].join('\n');
}

async function accepts(port: number, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    if (hasEnded()) throw new Error('squid ended at its start');
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
