import { UsageError } from './usage-error.ts';

/** Every program on this computer can read a command line, and shells record it. */
const secretOption =
  /^--?(?:api[-_]?key|api[-_]?sig|key|sig|signature|secret|secret[-_]?word|password|credentials?)(?![a-z_-])/i;

/** Throws a UsageError for an option that would carry a secret. The sentence names the safe way and never repeats the value. */
export function refuseSecrets(argv: readonly string[]): void {
  const end = argv.indexOf('--');
  const words = argv.slice(0, end < 0 ? undefined : end);
  const name = words.map((word) => secretOption.exec(word)?.[0]).find((found) => found !== undefined);
  if (name === undefined) return;
  const how = /word/i.test(name)
    ? 'Put the secret word into an environment variable and name that one with --secret-word-env NAME.'
    : 'Set SEALDESK_API_KEY and SEALDESK_API_SIG, or type them in when asked.';
  throw new UsageError(
    `${name} is refused: a command line can be read by other programs and is kept by shells. ${how}`,
  );
}
