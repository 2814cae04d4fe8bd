/** The command line is wrong, or names something that does not exist. The program ends with exit code 2, and nothing was sent. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
