import type { HomeSummary, SignedRequest } from '../../../../contract/home.ts';
import type { Sql } from '../../database/sql.ts';
import { computeRequests, type RequestNeeds } from './compute-requests.ts';
import { openStates } from './find-requests.ts';
import type { StoredSigner } from './request-signers.ts';

export interface Glance {
  readonly waiting: Omit<HomeSummary['waiting'], 'longUntil'>;
  readonly signed: Pick<HomeSummary['signed'], 'count' | 'requests'>;
}

export interface GlanceTimes {
  readonly longBefore: string;
  readonly signedSince: string;
  /** Of the signed ones that are answered. */
  readonly limit: number;
}

/** The requests that wait, those of them that were sent before a time, and those of which a signature was seen since another. Read from two indexes. */
export async function glanceAtRequests(
  sql: Sql,
  needs: RequestNeeds,
  { longBefore, signedSince, limit }: GlanceTimes,
): Promise<Glance> {
  await computeRequests(sql, needs);
  const { connectionId } = needs;
  const waiting = sql.get<Glance['waiting']>(
    `SELECT count(*) FILTER (WHERE state <> 'not-known') AS count,
       count(*) FILTER (WHERE state <> 'not-known' AND sent_at < ?1) AS longCount,
       count(*) FILTER (WHERE state = 'not-known' AND sent_at < ?1) AS unknownLongCount
     FROM requests INDEXED BY requests_state WHERE connection_id = ?2 AND state IN (SELECT value FROM json_each(?3))`,
    ...[longBefore, connectionId, JSON.stringify([...openStates, 'not-known'])],
  );
  const since = 'requests INDEXED BY requests_signed WHERE connection_id = ? AND signed_at > ? AND state IS NOT NULL';
  const signed = sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${since}`, connectionId, signedSince);
  const rows = sql.all<SignedRow>(
    `SELECT document_id AS origDocumentId, name AS documentName, signed_at AS at, state, signers FROM ${since} ORDER BY signed_at DESC LIMIT ?`,
    ...[connectionId, signedSince, limit],
  );
  return {
    waiting: waiting ?? { count: 0, longCount: 0, unknownLongCount: 0 },
    signed: { count: signed?.count ?? 0, requests: rows.map(signedRequest) },
  };
}

type SignedRow = Omit<SignedRequest, 'signerCount' | 'signedCount' | 'hasUnknown'> & {
  readonly signers: string;
  readonly state: string;
};

function signedRequest(row: SignedRow): SignedRequest {
  const { origDocumentId, documentName, at } = row;
  const signers: StoredSigner[] = JSON.parse(row.signers);
  return {
    ...{ origDocumentId, documentName, at, hasUnknown: row.state === 'not-known' },
    signerCount: signers.length,
    signedCount: signers.filter(({ state }) => state === 'signed').length,
  };
}
