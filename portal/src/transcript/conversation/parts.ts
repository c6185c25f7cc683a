import { t } from '../../language/index.ts';
import { valueText } from '../json.ts';
import { isPicture, linkAddress } from '../markdown/addresses.ts';
import { isMembers } from './messages.ts';

/** A part of a message's content, as it is shown. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'picture'; source: string }
  | { type: 'address'; address: string }
  | { type: 'file'; name: string; kind: string; bytes: number; data: string | null }
  /** One that people know nothing of. */
  | { type: 'value'; json: string };

const DATA_URL = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})?[^,]{0,200},/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function partsOf(content: unknown): Part[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(partOf) : [{ type: 'value', json: valueText(content) }];
}

function partOf(part: unknown): Part {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (isMembers(part)) {
    if (typeof part.text === 'string') return { type: 'text', text: part.text };
    const { image_url: image, file } = part;
    if (isMembers(image) && typeof image.url === 'string') return imageOf(image.url);
    if (isMembers(file) && typeof file.filename === 'string') return fileOf(file.filename, file.file_data);
  }
  return { type: 'value', json: valueText(part) };
}

function imageOf(url: string): Part {
  if (isPicture(url)) return { type: 'picture', source: url };
  const address = linkAddress(url);
  return address === null ? fileOf(t('Image'), url) : { type: 'address', address };
}

/** A file of base64, or of a data: URL in base64. Without data if it is not valid. */
function fileOf(name: string, data: unknown): Part {
  const text = typeof data === 'string' ? data : '';
  const [head = '', kind = 'application/octet-stream'] = DATA_URL.exec(text) ?? [];
  const base64 = text.slice(head.length);
  const isWhole = BASE64.test(base64) && base64.length % 4 === 0;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
  return { type: 'file', name, kind, bytes, data: isWhole ? base64 : null };
}
