import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { envelope11, envelope12, namespaceUri } from '../harness/soap-texts.ts';
import type { Asked, Question, Serve, SoapVersion } from './behaviour.ts';

export const documentId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
export const pdfText = '%PDF-1.4\nfrom the service\n%%EOF\n';
export const entry = `<ESignList><DocumentName>Lease</DocumentName><CreatedDate>2026-11-21T03:20:22</CreatedDate><ServiceDocumentID>${documentId}</ServiceDocumentID><OrigServiceDocumentID>${documentId}</OrigServiceDocumentID><Email>ana@example.com</Email><Name>Ana</Name></ESignList>`;

/** The content of the result of a well-behaved service. */
export const goodResults: Readonly<Record<Question, string>> = {
  GetVersion: '2.0',
  GetSchedule: 'Monday to Friday',
  GetAuthToken: 'token-of-the-service-0001',
  GetDocumentStatus: 'Completed',
  GetDocumentDetails: '<DocumentName>Lease</DocumentName><Errors>0</Errors>',
  GetDocument: Buffer.from(pdfText).toString('base64'),
  GetESignList: entry,
  ValidateDocument: 'Valid',
  AddNewDocument: documentId,
  AddNewDocumentESign: documentId,
  AddNewEasySignDocument: documentId,
  AddNewEasySignTemplate: documentId,
  AddQuickNote: 'OK',
  WSDL: '',
};

export function envelopeAround(body: string, soap: SoapVersion): string {
  const uri = soap === '1.1' ? envelope11 : envelope12;
  return `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${uri}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><s:Body>${body}</s:Body></s:Envelope>`;
}

/** The element that answers an operation, around what is in it. */
export function responseElement(operation: string, inner: string): string {
  return `<${operation}Response xmlns="${namespaceUri}">${inner}</${operation}Response>`;
}

/** A whole reply with this result. */
export function reply({ operation, soap }: Pick<Asked, 'operation' | 'soap'>, inner = goodResults[operation]): string {
  const result = `<${operation}Result>${inner}</${operation}Result>`;
  return envelopeAround(responseElement(operation, result), soap);
}

export function fault(soap: SoapVersion, reason: string, code = 'Server'): string {
  return envelopeAround(
    soap === '1.1'
      ? `<s:Fault><faultcode>s:${code}</faultcode><faultstring>${reason}</faultstring></s:Fault>`
      : `<s:Fault><s:Code><s:Value>s:${code}</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${reason}</s:Text></s:Reason></s:Fault>`,
    soap,
  );
}

export const typeOf = (soap: SoapVersion) => (soap === '1.1' ? 'text/xml' : 'application/soap+xml');

/** A head without length; `more` are header lines. */
export function headOf({ soap }: Pick<Asked, 'soap'>, more = '', status = '200 OK'): string {
  const type = /^content-type:/im.test(more) ? '' : `Content-Type: ${typeOf(soap)}; charset=utf-8\r\n`;
  return `HTTP/1.1 ${status}\r\n${type}${more}Connection: close\r\n\r\n`;
}

export const chunked = 'Transfer-Encoding: chunked\r\n';
export const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
export const lastChunk = '0\r\n\r\n';

/** A whole answer with Content-Length. */
export function answer(asked: Asked, body: string | Buffer = reply(asked), more = '', status = '200 OK'): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([Buffer.from(headOf(asked, `Content-Length: ${bytes.length}\r\n${more}`, status)), bytes]);
}

/** Reads the whole request, then sends these bytes and ends. */
export function after(make: (asked: Asked) => string | Buffer): Serve {
  return async (peer, asked) => {
    await peer.nextRequest({ discardBody: true });
    peer.socket.end(make(asked));
  };
}

/** As `after`, and never ends. */
export function afterAndStay(make: (asked: Asked) => string | Buffer): Serve {
  return async (peer, asked) => {
    await peer.nextRequest({ discardBody: true });
    peer.socket.write(make(asked));
  };
}

/** Answers 200 with this result. */
export const result = (inner: string): Serve => after((asked) => answer(asked, reply(asked, inner)));
/** Answers 200 with this content of the body. */
export const body = (make: (asked: Asked) => string): Serve =>
  after((asked) => answer(asked, envelopeAround(make(asked), asked.soap)));

/** Writes `piece` again and again, as fast as the peer reads, until it has gone or `times` are over. */
export async function pour(socket: Socket, piece: string | Buffer, times = Number.POSITIVE_INFINITY): Promise<void> {
  for (let count = 0; count < times && !socket.destroyed && socket.writable; count++) {
    if (socket.write(piece)) {
      if (count % 16 === 15) await pause(0);
      continue;
    }
    await new Promise<void>((resolve) => {
      const go = () => {
        socket.off('drain', go).off('close', go);
        resolve();
      };
      socket.on('drain', go).on('close', go);
    });
  }
}

/** Writes `piece` every `ms` until the peer has gone. */
export function drip(socket: Socket, piece: string, ms: number): void {
  const timer = setInterval(() => socket.write(piece), ms);
  socket.on('close', () => clearInterval(timer));
}
