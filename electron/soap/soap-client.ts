import type { CreateSoapClient } from './client.ts';

/** Makes the client for one service; see the interfaces in client.ts. */
export const createSoapClient: CreateSoapClient = () => {
  throw new Error('the SOAP wire is not laid yet');
};
