import { UsageError } from './usage-error.ts';

/** Every program on this computer can read a command line, and shells record it. */
const secretOption =
  /^--?(?:api[-_]?key|api[-_]?sig|key|sig|signature|secret|secret[-_]?word|(?:proxy[-_]?|client[-_]?cert[-_]?)?pass(?:word)?|credentials?)(?![a-z_-])/i;

/** Throws a UsageError for an option that would carry a secret. The sentence names the safe way and never repeats the value. */
export function refuseSecrets(argv: readonly string[]): void {
  const end = argv.indexOf('--');
  const words = argv.slice(0, end < 0 ? undefined : end);
  const name = words.map((word) => secretOption.exec(word)?.[0]).find((found) => found !== undefined);
  if (name === undefined) return;
  const how = /pass/i.test(name) ? 'passwordHow' : /word/i.test(name) ? 'secretWordHow' : 'credentialsHow';
  throw new UsageError((t) => t('errors.secret', { option: name, how: t(`errors.${how}`) }));
}
