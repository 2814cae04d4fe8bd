import type { Connection, WsdlOnto, WsdlProposal, WsdlRemark, WsdlWay } from '../../../contract/connections.ts';
import { type OperationName, operationNames } from '../../../contract/operation.ts';
import type { ServiceTarget } from '../../soap/service/client.ts';
import { elementsOf, isInterfaceElement, tableName } from '../../soap/service/element-names.ts';
import { operations } from '../../soap/service/operations.ts';
import { fetchWsdl } from '../../soap/wsdl/fetch-wsdl.ts';
import {
  type KnownNames,
  offeredAt,
  readWsdlFile,
  type WsdlDescription,
  type WsdlPort,
} from '../../soap/wsdl/read-wsdl.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { type ConnectionAccess, loginAt, noAccess, withoutAuthorities } from './access.ts';
import type { ManagedConnections } from './managed-connections.ts';
import type { ServiceClients } from './service-clients.ts';
import { placesFrom, type ReadAt } from './wsdl-paths.ts';

/** A hostile description could cause a remark for every element. */
const maxRemarks = 200;

type From = ({ readonly address: string; readonly way?: WsdlWay } | { readonly token: string }) & {
  readonly onto?: WsdlOnto;
};

export interface WsdlSources {
  readonly files: Pick<FileRegistry, 'file'>;
  /** The way to an address. */
  readonly way: (address: string, way: WsdlWay) => Promise<FetchWay>;
}

/**
 * Reads a WSDL from an address (on the way of the form) or from a chosen file, and merges it with the form's
 * current values (`onto`).
 */
export async function readWsdlFrom({ files, way }: WsdlSources, from: From): Promise<WsdlProposal> {
  const { onto } = from;
  const known: KnownNames = (operation, child) => {
    const name = onto && tableName(onto.elementNames, operation, child);
    return name ? [name] : [];
  };
  if ('token' in from) return proposalFrom(await readWsdlFile(await files.file(from.token), known), null, onto);
  // fetchWsdl refuses an invalid address; the system's proxy settings are asked only for a valid one.
  const open = URL.canParse(from.address) ? await way(from.address, from.way ?? {}) : { proxy: 'DIRECT' };
  const options = { extraCa: onto?.extraCa ?? '', ...open, known };
  const { description, ...readAt } = await fetchWsdl(from.address, options);
  return proposalFrom(description, readAt, onto);
}

/** The SOAP versions of the ports that offer a path's operations. */
function versionsOf(ports: readonly WsdlPort[], kind: 'main' | 'easy-sign') {
  return [...new Set(ports.filter((port) => offeredAt(port, kind).length > 0).map(({ version }) => version))].sort();
}

/** The proposed namespace. A connection has one namespace: that of the main operations. */
function namespaceFrom(now: string, isMain: boolean, onto: WsdlOnto | undefined) {
  const was = onto?.namespaceUri.trim() ?? '';
  const differs = was !== '' && now !== '' && was !== now;
  if (now === '' || (differs && !isMain)) {
    const remark: WsdlRemark = { kind: 'other-namespace', about: 'easySignPath', was, now };
    return { settings: {}, remarks: differs ? [remark] : [] };
  }
  const remark: WsdlRemark = { kind: 'namespace-changed', about: 'namespaceUri', was, now };
  return { settings: { namespaceUri: now }, remarks: differs ? [remark] : [] };
}

/** The proposal that a description yields for a connection: see WsdlProposal. */
export function proposalFrom(description: WsdlDescription, readAt: ReadAt, onto: WsdlOnto | undefined): WsdlProposal {
  const { ports } = description;
  const offered = new Set(ports.flatMap((port) => port.operations));
  const [main, easySign] = [versionsOf(ports, 'main'), versionsOf(ports, 'easy-sign')];
  // Main operations and Easy Sign have a description each: what the other one describes is not missing here.
  const isExpected = (name: OperationName) =>
    offered.size === 0 || (operations[name].path === 'main' ? main : easySign).length > 0;
  const addresses = placesFrom({ ports, readAt, onto });
  const names = mergeNames(onto?.elementNames ?? {}, description.names);
  const namespace = namespaceFrom(description.namespaceUri, main.length > 0, onto);
  const version: WsdlRemark[] =
    main.length === 0 && onto && !easySign.includes(onto.soapVersion)
      ? [{ kind: 'easy-sign-version', about: 'easySignPath', was: onto.soapVersion, now: easySign.join(', ') }]
      : [];
  const stays = (remark: WsdlRemark): WsdlRemark => {
    if (remark.kind !== 'name-unmatched') return remark;
    const [, child = ''] = remark.about.split('.');
    return { ...remark, was: names.table[remark.about] ?? names.table[child] ?? child };
  };
  return {
    settings: { ...addresses.settings, ...namespace.settings, elementNames: names.table },
    soapVersions: main,
    operations: operationNames.filter((name) => offered.has(name)),
    missing: operationNames.filter((name) => !offered.has(name) && isExpected(name)),
    remarks: [
      ...addresses.remarks,
      ...namespace.remarks,
      ...version,
      ...names.remarks,
      ...description.remarks.map(stays),
    ].slice(0, maxRemarks),
  };
}

type Table = Readonly<Record<string, string>>;

/**
 * Merges the element names of a WSDL into a connection's table. Only operations that the WSDL describes change, so
 * that of two WSDLs the second does not undo the first. Every change is in the remarks.
 */
function mergeNames(
  table: Table,
  described: ReadonlyMap<OperationName, ReadonlyMap<string, string>>,
): { readonly table: Table; readonly remarks: readonly WsdlRemark[] } {
  const uses = new Map<string, Map<OperationName, string>>();
  const remarks = new Map<string, WsdlRemark>();
  const remark = (kind: 'name-changed' | 'name-found', operation: OperationName, child: string, now: string) => {
    const was = tableName(table, operation, child);
    const key = JSON.stringify([kind, child, was, now]);
    const about = [remarks.get(key)?.about, `${operation}.${child}`].filter(Boolean).join(', ');
    remarks.set(key, { kind, about, ...(was === undefined ? {} : { was }), now });
  };
  for (const operation of operationNames) {
    for (const child of elementsOf(operation)) {
      const before = tableName(table, operation, child);
      const now = described.get(operation)?.get(child) ?? before ?? child;
      if (before !== undefined && before !== now) remark('name-changed', operation, child, now);
      else if (before === undefined && now !== child) remark('name-found', operation, child, now);
      uses.set(child, (uses.get(child) ?? new Map()).set(operation, now));
    }
  }
  // A key that is not an element of the interface may be half typed: it stays as it is.
  const unknownKeys = Object.entries(table).filter(([key]) => !isInterfaceElement(key));
  return {
    table: Object.fromEntries([...[...uses].flatMap(([child, by]) => rowsOf(child, by)), ...unknownKeys]),
    remarks: [...remarks.values()],
  };
}

/** Key `Child` for the name that most operations use, `Operation.Child` for the others. */
function rowsOf(child: string, byOperation: ReadonlyMap<OperationName, string>): [string, string][] {
  const counts = new Map<string, number>([[child, 0.5]]);
  for (const name of byOperation.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[usual = child] = []] = [...counts].sort(([, a], [, b]) => b - a);
  const others = [...byOperation].filter(([, name]) => name !== usual);
  return [
    ...(usual === child ? [] : [[child, usual] as [string, string]]),
    ...others.map(([operation, name]): [string, string] => [`${operation}.${child}`, name]),
  ];
}

/** The way on which a WSDL is fetched. */
export type FetchWay = Pick<ServiceTarget, 'proxy' | 'proxyLogin' | 'identity'> &
  Partial<Pick<ServiceTarget, 'extraCa'>>;

interface Needs {
  readonly find: (id: string) => Connection;
  readonly access: Pick<ConnectionAccess, 'of' | 'prepare'>;
  readonly proxyOf: ServiceClients['proxyOf'];
  readonly managed: Pick<ManagedConnections, 'assertUsable' | 'wayFor'>;
}

/**
 * The way for a form that is being filled in: what is entered there, else what its connection has. A stored client certificate is for the origin of its
 * connection only, a stored login for its proxies. What the policy sets comes first. Rejects as ConnectionAccess does, and before anything is sent for what
 * the policy does not allow.
 */
export async function wsdlWayTo(
  address: string,
  way: WsdlWay,
  { find, access, proxyOf, managed }: Needs,
): Promise<FetchWay> {
  const connection = way.id === undefined ? null : find(way.id);
  if (connection) managed.assertUsable(connection);
  const locked = managed.wayFor(way.id);
  const [proxy, stored, given] = await Promise.all([
    proxyOf(locked.proxy ?? way.proxy ?? { mode: 'system' }, address),
    connection?.kind === 'service' ? access.of(connection.id) : noAccess,
    access.prepare(way),
  ]);
  const sameOrigin = connection !== null && new URL(connection.baseUrl).origin === new URL(address).origin;
  const keptIdentity = sameOrigin ? stored.identity : null;
  const fetched = {
    proxy,
    ...(locked.extraCa === undefined ? {} : { extraCa: locked.extraCa }),
    proxyLogin: given.proxyLogin
      ? loginAt(given.proxyLogin, proxy)
      : given.proxyLogin === null
        ? null
        : stored.proxyLogin,
    identity: given.clientCertificate === undefined ? keptIdentity : (given.clientCertificate?.identity ?? null),
  };
  return locked.extraCa === undefined ? fetched : withoutAuthorities(fetched);
}
