const BYTEA_OID = 17;
const TEXT_OID = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * A `bytea[]` parameter in PostgreSQL's binary form, for a statement that says `$n::bytea[]`.
 *
 * The driver would write an array of buffers as a text of hexadecimal digits, twice as long; a
 * buffer it sends as it is.
 */
export function toByteaArray(values: readonly (Uint8Array | null)[]): Buffer {
  return toBinaryArray(BYTEA_OID, values);
}

/**
 * A `text[]` parameter likewise, for `$n::text[]`. The driver would escape every quote, and the
 * server take that apart again: much work for a JSON text.
 */
export function toTextArray(values: readonly (string | null)[]): Buffer {
  return toBinaryArray(
    TEXT_OID,
    values.map((value) => (value === null ? null : Buffer.from(value))),
  );
}

function toBinaryArray(elementOid: number, values: readonly (Uint8Array | null)[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const dimensions = values.length === 0 ? 0 : 1;
  header.writeInt32BE(dimensions, 0);
  header.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  header.writeInt32BE(elementOid, 8);
  header.writeInt32BE(values.length, 12);
  // Arrays count from 1.
  header.writeInt32BE(1, 16);
  // Without a dimension the header ends before its length and bounds.
  const start = dimensions === 0 ? header.subarray(0, 12) : header;
  return Buffer.concat([start, ...values.flatMap(toElement)]);
}

function toElement(value: Uint8Array | null): Uint8Array[] {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeInt32BE(value?.length ?? NULL_LENGTH);
  return value === null ? [length] : [length, value];
}
