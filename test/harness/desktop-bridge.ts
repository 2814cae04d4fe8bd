import type { Envelope } from '../../contract/failure.ts';
import type { CallInput, CallName, CallOutput } from '../../contract/index.ts';
import type { Desktop } from './electron.ts';

/** One call through the window's own bridge: its value, or an error that names the failure. */
export async function ask<N extends CallName>(
  desktop: Pick<Desktop, 'page'>,
  name: N,
  input: CallInput<N>,
): Promise<CallOutput<N>> {
  const answer = await desktop.page.evaluate(
    ([call, given]) =>
      (window as unknown as { bridge: { call(name: string, input: unknown): Promise<unknown> } }).bridge.call(
        call as string,
        given,
      ),
    [name, input] as readonly [string, unknown],
  );
  const envelope = answer as Envelope<CallOutput<N>>;
  if (!envelope.ok) throw new Error(`${name}: ${envelope.failure.code} ${envelope.failure.note}`);
  return envelope.value;
}
