import { basename } from 'node:path';
import type { AccessChange, Connection } from '../../contract/connections.ts';
import type { Ask } from '../../contract/index.ts';
import type { Core } from '../../electron/core/core.ts';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { environmentLogin } from '../ports/environment-network.ts';
import { textOf, type Values } from './arguments/values.ts';
import { UsageError } from './output/exit-code.ts';
import { failureText, startError } from './output/failures.ts';
import { nameOnLine } from './output/printer.ts';
import { t } from './output/texts.ts';

interface Given {
  readonly core: Core;
  readonly ask: Ask;
  readonly connection: Connection;
  readonly values: Values;
  readonly env: NodeJS.ProcessEnv;
}

/** Gives a connection its login at the proxy and its client certificate for this run. Throws a UsageError if these cannot be used. */
export async function giveAccess(given: Given): Promise<void> {
  const { ask, connection, values, env } = given;
  const login = loginFor(connection, env);
  const files = ['client-cert', 'client-key'].flatMap((name) => textOf(values, name) ?? []);
  const change: AccessChange = {
    ...(login ? { proxyLogin: login } : {}),
    ...(files.length > 0
      ? {
          clientCertificate: {
            tokens: await tokensOf(given, files),
            password: env.SEALDESK_CLIENT_CERT_PASSWORD ?? '',
          },
        }
      : {}),
  };
  if (Object.keys(change).length === 0) return;
  const kept = await ask('connections.setAccess', { id: connection.id, ...change });
  if (kept.ok) return;
  const { failure } = kept;
  const fields = Object.keys(failure.fields ?? {});
  const [first = ''] = files;
  const file = nameOnLine(first);
  if (fields.includes('clientCertificate.password')) throw new UsageError(t('errors.clientCertPassword', { file }));
  if (fields.some((path) => path.startsWith('proxyLogin'))) throw new UsageError(t('errors.proxyLogin'));
  throw startError(failure, t('errors.clientCertUnusable', { file, why: failureText(failure) }));
}

/** The two variables, else user and password in the address of the proxy that the environment names. */
function loginFor({ proxy, baseUrl }: Connection, env: NodeJS.ProcessEnv): AccessChange['proxyLogin'] {
  const { SEALDESK_PROXY_USER: user = '', SEALDESK_PROXY_PASSWORD: password = '' } = env;
  if (user !== '') return { user, password };
  if (password !== '') throw new UsageError(t('errors.variableMissing', { name: 'SEALDESK_PROXY_USER' }));
  return proxy.mode === 'system' ? environmentLogin(env, baseUrl) : null;
}

async function tokensOf({ core }: Given, files: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const file of files) {
    try {
      tokens.push((await core.acceptPath(file)).token);
    } catch (error) {
      const failure = failureOf(error);
      const name = nameOnLine(basename(file));
      const why = failure ? failureText(failure) : t('errors.unknownReason');
      throw new UsageError(t('errors.clientCertUnusable', { file: name, why }));
    }
  }
  return tokens;
}
