/** The command line was not understood, or something it names is not there: ends with exit code 2, and nothing was sent. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
