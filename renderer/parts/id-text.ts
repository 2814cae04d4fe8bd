const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A document ID as it is shown and copied. Services write the same ID in capitals here and in small letters there; both mean one document. */
export function idText(id: string): string {
  return guid.test(id) ? id.toUpperCase() : id;
}
