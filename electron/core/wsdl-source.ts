import type { WsdlProposal } from '../../contract/connections.ts';
import { fetchWsdl } from '../soap/fetch-wsdl.ts';
import { readWsdlFile } from '../soap/read-wsdl.ts';
import type { Context } from './context.ts';
import { proxyFor } from './proxies.ts';

/** Reads a WSDL from an address, by the system's way there, or from a chosen file. */
export async function readWsdlFrom(
  { ports, files }: Pick<Context, 'ports' | 'files'>,
  from: { readonly address: string } | { readonly token: string },
): Promise<WsdlProposal> {
  if ('token' in from) return await readWsdlFile(await files.file(from.token));
  // fetchWsdl refuses what is no address; before it is known to be one nobody is asked for the way there.
  if (!URL.canParse(from.address)) return await fetchWsdl(from.address, { proxy: 'DIRECT' });
  const proxy = await proxyFor({ mode: 'system' }, from.address, ports.network, ports.log);
  return await fetchWsdl(from.address, { proxy });
}
