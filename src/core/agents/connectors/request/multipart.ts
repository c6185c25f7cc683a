import { createHash } from 'node:crypto';
import { isJsonType, mediaTypeOf } from '../media-type.ts';
import { own } from '../openapi/values.ts';
import { scalarText } from './form-text.ts';

/** A list is a part for each item. Without a type a text is plain, and all else JSON (RFC 7578). */
export function multipartBody(
  members: Record<string, unknown>,
  types: Record<string, string> = {},
): { contentType: string; text: string } {
  const parts = Object.entries(members).flatMap(([name, value]) => {
    const type = own(types, name);
    return (Array.isArray(value) ? value : [value]).flatMap((one) => (one === null ? [] : [partOf(name, one, type)]));
  });
  const boundary = `part-${createHash('sha256').update(parts.join()).digest('hex').slice(0, 40)}`;
  const text = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, text };
}

function partOf(name: string, value: unknown, declared: string | undefined): string {
  const text = scalarText(value);
  const type = declared ?? (text === null ? 'application/json' : 'text/plain');
  const isJson = isJsonType(mediaTypeOf(type));
  const quoted = `"${name.replace(/["\r\n]/g, encodeURIComponent)}"`;
  // Servers tell files from fields by the filename.
  const file = isJson || mediaTypeOf(type) === 'text/plain' ? '' : `; filename=${quoted}`;
  const typeLine = type === 'text/plain' ? '' : `Content-Type: ${type}\r\n`;
  const content = text !== null && !isJson ? text : JSON.stringify(value);
  return `Content-Disposition: form-data; name=${quoted}${file}\r\n${typeLine}\r\n${content}`;
}
