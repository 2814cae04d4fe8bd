import type { Connection } from '../../../contract/connections.ts';
import type { SoapClient } from '../../soap/client.ts';

/** The connections and what is needed to speak through one. */
export interface ConnectionRegistry {
  /** Rejects with not-found. */
  get(id: string): Promise<Connection>;
  /**
   * A client with the connection's credentials, proxy and address; for the practice connection the practice service is
   * started first. Rejects with not-connected where credentials are missing. One client per connection is kept
   * until settings or credentials change.
   */
  client(id: string): Promise<SoapClient>;
}
