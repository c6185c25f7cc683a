import { withoutHtml } from '../../../core/knowledge/html.ts';
import { UnreadableDocument } from '../../../core/knowledge/reader.ts';
import { textOfBytes } from '../../../text/encoding.ts';
import type { Paragraph } from './walker.ts';

/** The text of an embedded file: HTML, a web archive or plain text. */
export function paragraphsOf(content: Buffer): Paragraph[] {
  const head = content.subarray(0, 1_000).toString('latin1').trimStart();
  if (head.startsWith('{\\rtf'))
    throw new UnreadableDocument('It is RTF. Save the document anew in Word, which takes it in.');
  const archived = /^content-type:\s*multipart\//im.test(head) ? htmlOf(content) : content;
  const text = textOfBytes(archived);
  const plain = /<(?:!doctype|html|head|body|p|div|table|h\d)\b/i.test(text.slice(0, 10_000))
    ? withoutHtml(text)
    : text;
  return plain
    .split(/\n\s*\n/)
    .map((paragraph) => ({ text: paragraph.trim(), level: null, kind: 'text' as const }))
    .filter((paragraph) => paragraph.text !== '');
}

/** Of a web archive, as libraries write it that make a document of a page. */
function htmlOf(content: Buffer): Buffer {
  const source = content.toString('latin1');
  const boundary = /boundary="?([^"\s;]+)"?/i.exec(source)?.[1];
  const parts = boundary === undefined ? [] : source.split(`--${boundary}`);
  const html = parts.find((part) => /content-type:\s*text\/html/i.test(part.slice(0, 1_000)));
  if (html === undefined) throw new UnreadableDocument('It is a web archive without a page.');
  const [, headers = '', body = ''] = /^\s*([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(html) ?? [];
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64');
  if (!/quoted-printable/i.test(headers)) return Buffer.from(body, 'latin1');
  const decoded = body
    .replace(/=\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(decoded, 'latin1');
}
