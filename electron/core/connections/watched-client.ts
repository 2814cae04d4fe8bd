import type { SoapClient } from '../../soap/service/client.ts';
import { failureOf } from '../foundation/app-error.ts';
import type { LeveledLog } from '../foundation/ports.ts';
import { type HealthRecorder, healthOfFailure, healthOfText } from './connection-health.ts';

/** A client whose results with credentials are recorded. The log gets each operation with its time and the code of its failure. */
export function watchedClient(inner: SoapClient, record: HealthRecorder, log: LeveledLog): SoapClient {
  const watched = async <T>(
    operation: string,
    work: Promise<T>,
    shows: (value: T) => ReturnType<typeof healthOfText>,
  ): Promise<T> => {
    const from = performance.now();
    const call = { operation, begunAt: from };
    const note = (code?: string) =>
      log.debug('request', { operation, ms: Math.round(performance.now() - from), ...(code ? { code } : {}) });
    try {
      const value = await work;
      note();
      record(shows(value), call);
      return value;
    } catch (error) {
      const failure = failureOf(error);
      note(failure?.code ?? 'bug');
      if (failure) record(healthOfFailure(failure), call);
      throw error;
    }
  };
  return {
    invoke: (...given) =>
      watched(given[0], inner.invoke(...given), ({ raw, record: fields }) =>
        raw === null ? null : healthOfText(fields?.Errors ?? raw),
      ),
    shape: (...given) =>
      watched(given[0], inner.shape(...given), ({ hasResult, text }) => (hasResult ? healthOfText(text) : null)),
    // A service may refuse a list by leaving it empty.
    listESign: (...given) =>
      watched('GetESignList', inner.listESign(...given), (count) => (count > 0 ? 'works' : null)),
    download: (...given) => watched('GetDocument', inner.download(...given), () => 'works'),
    receive: (...given) => watched('GetDocument', inner.receive(...given), () => 'works'),
    close: () => inner.close(),
  };
}
