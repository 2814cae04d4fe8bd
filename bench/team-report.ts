/** One line of results: with the register, the local figure of the same run, their ratio, and the aim. */
const rows: string[] = [];

/** Prints a result and keeps it for the table. */
export function report(what: string, team: string, local = '–', ratio = '–', aim = ''): void {
  rows.push(`| ${what} | ${team} | ${local} | ${ratio} | ${aim} |`);
  console.log(`${what}: ${team}; local ${local}; ratio ${ratio}${aim ? ` (${aim})` : ''}`);
}

/** A result in milliseconds or seconds beside its local figure. */
export function reportTime(what: string, team: number, local: number, unit: 'ms' | 's', aim = ''): void {
  const text = (time: number) => `${time.toFixed(1)} ${unit}`;
  report(what, text(team), text(local), (team / local).toFixed(2), aim);
}

export const resultRows = (): readonly string[] => rows;

export const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
