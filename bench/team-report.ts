import { startReport } from './harness.ts';

/** Results with the register, the local figure of the same run, their ratio, and the aim. */
export const table = startReport('Team register', ['what', 'with the register', 'local', 'ratio', 'aim']);

/** Prints a result and keeps it for the table. */
export function report(what: string, team: string, local = '–', ratio = '–', aim = ''): void {
  table.row(what, team, local, ratio, aim);
}

/** A result in milliseconds or seconds beside its local figure. */
export function reportTime(what: string, team: number, local: number, unit: 'ms' | 's', aim = ''): void {
  const text = (time: number) => `${time.toFixed(1)} ${unit}`;
  report(what, text(team), text(local), (team / local).toFixed(2), aim);
}
