/** Refusals before an operation starts, in the form of an ASP.NET server. */

export type SoapVersion = '1.1' | '1.2';

export const envelopeNamespaces: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

/** Becomes HTTP 500 with a fault in the form of the request's SOAP version. */
export class SoapFault extends Error {
  /** Without a prefix. */
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

/** Not XML, characters that XML excludes: HTTP 400 with an empty body. */
export class MalformedRequest extends Error {}

/** The fault for a value of the wrong type, with the stack trace that such servers put into it. */
export function unreadableValue(detail: string): SoapFault {
  return new SoapFault(
    'Client',
    `System.Web.Services.Protocols.SoapException: Server was unable to read request. ---> System.InvalidOperationException: There is an error in XML document. ---> System.FormatException: ${detail}
   at System.Xml.XmlConvert.ToInt32(String s)
   at Microsoft.Xml.Serialization.GeneratedAssembly.XmlSerializationReader1.Read1_Operation()
   at System.Web.Services.Protocols.SoapServerProtocol.ReadParameters()
   --- End of inner exception stack trace ---`,
  );
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) =>
    character === '&'
      ? '&amp;'
      : character === '<'
        ? '&lt;'
        : character === '>'
          ? '&gt;'
          : character === '"'
            ? '&quot;'
            : '&#xD;',
  );
}

export function envelope(version: SoapVersion, body: string): string {
  return (
    '<?xml version="1.0" encoding="utf-8"?>' +
    `<soap:Envelope xmlns:soap="${envelopeNamespaces[version]}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
    `xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>${body}</soap:Body></soap:Envelope>`
  );
}

/** In 1.2 the codes Client and Server are called Sender and Receiver. */
export function faultEnvelope(version: SoapVersion, fault: SoapFault): string {
  const text = escapeXml(fault.message);
  if (version === '1.1')
    return envelope(
      version,
      `<soap:Fault><faultcode>soap:${fault.code}</faultcode><faultstring>${text}</faultstring><detail /></soap:Fault>`,
    );
  const code = fault.code === 'Client' ? 'Sender' : fault.code === 'Server' ? 'Receiver' : fault.code;
  return envelope(
    version,
    `<soap:Fault><soap:Code><soap:Value>soap:${code}</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason><soap:Detail /></soap:Fault>`,
  );
}

export function contentType(version: SoapVersion): string {
  return version === '1.1' ? 'text/xml; charset=utf-8' : 'application/soap+xml; charset=utf-8';
}
