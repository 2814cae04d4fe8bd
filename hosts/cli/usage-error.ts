import { english, type Saying } from './texts.ts';

/** The command line is wrong, or names something that does not exist. The program ends with exit code 2, and nothing was sent. */
export class UsageError extends Error {
  readonly say: Saying;

  constructor(say: Saying) {
    super(say(english));
    this.name = 'UsageError';
    this.say = say;
  }
}
