import type { Connection } from '../../contract/connections.ts';
import { UsageError } from './exit-code.ts';
import { t } from './texts.ts';
import { numberOf, type Values } from './values.ts';

/** The value of --credit, otherwise the first credit type of the connection. */
export function creditOf(values: Values, connection: Connection): number {
  const credit = numberOf(values, 'credit') ?? connection.creditTypes[0]?.value;
  if (credit === undefined) throw new UsageError(t('errors.noCreditTypes'));
  return credit;
}
