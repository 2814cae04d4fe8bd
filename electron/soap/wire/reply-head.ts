import type { IncomingMessage } from 'node:http';
import type { FailureDetail } from '../../../contract/failure.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import { contentCoding, shorten } from './reply-coding.ts';

const xmlTypes = /^(text\/xml|application\/xml|application\/soap\+xml)$/;
const htmlTypes = /^(text\/html|application\/xhtml\+xml)$/;

function unreadable(detail: FailureDetail, note: string, status: number): AppError {
  return appError('reply-unreadable', note, {
    detail,
    ...(detail === 'http-status' ? { serviceCode: String(status) } : {}),
  });
}

/**
 * Decides from status and type alone whether a body may reach a parser. Only XML types may; with a status of 400 and above the body
 * may be a fault. Throws reply-unreadable: redirected, http-status, html-page, empty-reply or not-xml (also for an unknown Content-Encoding).
 */
export function readHead(response: IncomingMessage) {
  const status = response.statusCode ?? 0;
  const [type = '', ...parameters] = (response.headers['content-type'] ?? '').split(';');
  const mime = type.trim().toLowerCase();
  const named = shorten(mime) || 'no type';
  const xml = xmlTypes.test(mime);
  if (status >= 300 && status < 400)
    throw unreadable('redirected', `HTTP ${status}: redirects are not followed`, status);
  // No part of an answer was asked for: what is missing may say something else. Every other 2xx says that the request was carried out (SOAP 1.1, 6.2).
  if (status < 200 || status === 206 || (status >= 400 && !xml)) {
    throw unreadable('http-status', `HTTP ${status}, ${named}`, status);
  }
  if (response.headers['content-length'] === '0' || status === 204 || status === 205) {
    throw status >= 400
      ? unreadable('http-status', `HTTP ${status}, empty`, status)
      : unreadable('empty-reply', `HTTP ${status}, empty`, status);
  }
  if (htmlTypes.test(mime)) throw unreadable('html-page', `HTTP ${status} with a web page`, status);
  if (!xml) throw unreadable('not-xml', `HTTP ${status}, ${named}`, status);
  contentCoding(response);
  /** From the Content-Type; null if it names none. */
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/i.exec(text)?.[1]).find(Boolean);
  return { status, charset: charset ?? null };
}

/** The failure for an XML body that is no SOAP reply, with a status of 400 and above. */
export function statusFailure(status: number): AppError {
  return unreadable('http-status', `HTTP ${status} without a fault`, status);
}

/** The Content-Length; null without one. */
export function announcedBytes(response: IncomingMessage): number | null {
  const text = response.headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
