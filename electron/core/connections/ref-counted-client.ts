import type { SoapClient } from '../../soap/client.ts';

/** Runs one call of a client: the place for what must stand while it runs. */
export type Middleware = <T>(work: (client: SoapClient) => Promise<T>) => Promise<T>;

/** A client whose every call goes through `around`. */
export function clientThrough(around: Middleware): SoapClient {
  return {
    invoke: (...given) => around((client) => client.invoke(...given)),
    shape: (...given) => around((client) => client.shape(...given)),
    listESign: (...given) => around((client) => client.listESign(...given)),
    download: (...given) => around((client) => client.download(...given)),
    receive: (...given) => around((client) => client.receive(...given)),
    close: () => undefined,
  };
}

/** A client that may be replaced while others still work with it. */
export interface RefCountedClient {
  readonly client: SoapClient;
  /** Ends it as soon as its last call has ended: breaking off an add would leave it in doubt. */
  retire(): void;
}

export function refCountedClient(inner: SoapClient): RefCountedClient {
  let calls = 0;
  let retired = false;
  const client = clientThrough(async (work) => {
    calls += 1;
    try {
      return await work(inner);
    } finally {
      calls -= 1;
      if (retired && calls === 0) inner.close();
    }
  });
  return {
    client,
    retire: () => {
      if (!retired && calls === 0) inner.close();
      retired = true;
    },
  };
}
