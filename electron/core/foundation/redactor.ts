import type { Log } from './ports.ts';

/** Replaces known secrets of this run in texts: the last safeguard, as no secret should get into them at all. */
export interface Redactor {
  learn(secret: string): void;
  readonly redact: (text: string) => string;
}

/** Shorter secrets would match parts of ordinary words; no service issues them. */
const shortestSecret = 6;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    learn: (secret) => {
      if (secret.length >= shortestSecret) secrets.add(secret);
    },
    redact: (text) => {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, '•••');
      return clean;
    },
  };
}

/** The same log, with every text in it redacted. */
export function redactingLog(log: Log, redact: (text: string) => string): Log {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(clean);
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
    }
    return value;
  };
  const cleanFields = (fields: Readonly<Record<string, unknown>> = {}) => clean(fields) as Record<string, unknown>;
  return {
    info: (message, fields) => log.info(redact(message), cleanFields(fields)),
    error: (message, fields) => log.error(redact(message), cleanFields(fields)),
  };
}
