import type { OperationName } from '../../../contract/operation.ts';
import type { ServiceTarget } from '../service/client.ts';
import { wireName } from '../service/element-names.ts';
import { type Child, childrenOf, detailsFields, operations, soapVersionFor } from '../service/operations.ts';
import { escapeText } from './arguments.ts';

function element(name: string, type: string, minOccurs = 0): string {
  return `<s:element minOccurs="${minOccurs}" maxOccurs="1" name="${name}" type="s:${type}"/>`;
}

function sequence(elements: readonly string[]): string {
  return `<s:complexType><s:sequence>${elements.join('')}</s:sequence></s:complexType>`;
}

/** The result by the interface's names, as `node-soap.ts` writes it: the size instead of a document or a list. */
function resultElement(operation: OperationName): string {
  const { result } = operations[operation];
  const name = `${operation}Result`;
  if (result !== 'details') return element(name, result === 'string' ? 'string' : 'long');
  const fields = detailsFields.map((field) => element(field, 'string'));
  return `<s:element minOccurs="0" maxOccurs="1" name="${name}">${sequence(fields)}</s:element>`;
}

function schemaElements(target: ServiceTarget, operation: OperationName): string {
  const child = ({ name, type, required }: Child) =>
    element(wireName(target.elementNames, operation, name), type, required ? 1 : 0);
  return `<s:element name="${operation}">${sequence(childrenOf(operation).map(child))}</s:element>
<s:element name="${operation}Response">${sequence([resultElement(operation)])}</s:element>`;
}

/**
 * Generates the WSDL for node-soap, for operations of one path: one SOAP version, one address, from the
 * operations table and the connection's element names. The client generates it for one operation at a time: node-soap blocks for 17 ms
 * to read all operations of a path, and a tenth of that for one. It is generated instead of kept as a file in assets/wsdl because a
 * second list of children could contradict the table, and because names and namespace differ between services.
 *
 * Replies are declared as node-soap gets them (see node-soap.ts), not as services send them.
 *
 * The namespace is escaped twice: node-soap unescapes it once on reading and writes it into every envelope unescaped, where
 * an `&` or a quote would break the request.
 */
export function clientWsdl(target: ServiceTarget, names: readonly OperationName[], address: string): string {
  const [first = 'GetVersion'] = names;
  const version = soapVersionFor(target, first);
  const soap = version === '1.2' ? 'http://schemas.xmlsoap.org/wsdl/soap12/' : 'http://schemas.xmlsoap.org/wsdl/soap/';
  const namespace = escapeText(escapeText(target.namespaceUri));
  const each = (write: (name: OperationName) => string) => names.map(write).join('\n');
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="${soap}" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="${namespace}" targetNamespace="${namespace}">
<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="${namespace}">
${each((name) => schemaElements(target, name))}
</s:schema></wsdl:types>
${each((name) => `<wsdl:message name="${name}In"><wsdl:part name="parameters" element="tns:${name}"/></wsdl:message>\n<wsdl:message name="${name}Out"><wsdl:part name="parameters" element="tns:${name}Response"/></wsdl:message>`)}
<wsdl:portType name="Port">
${each((name) => `<wsdl:operation name="${name}"><wsdl:input message="tns:${name}In"/><wsdl:output message="tns:${name}Out"/></wsdl:operation>`)}
</wsdl:portType>
<wsdl:binding name="Binding" type="tns:Port"><soap:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>
${each((name) => `<wsdl:operation name="${name}"><soap:operation soapAction="${namespace}${name}" style="document"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>`)}
</wsdl:binding>
<wsdl:service name="Service"><wsdl:port name="Port" binding="tns:Binding"><soap:address location="${escapeText(address)}"/></wsdl:port></wsdl:service>
</wsdl:definitions>`;
}
