import { extname } from 'node:path';
import { type ContentPart, type DataUrl, readDataUrl } from '../../core/agents/chat/message.ts';
import { refused } from '../../core/agents/chat/provider.ts';

type FilePart = Extract<ContentPart, { type: 'file' }>;

const MEDIA_TYPES: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.html': 'text/html',
  '.xml': 'text/xml',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.rtf': 'application/rtf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.mp3': 'audio/mp3',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
};

/** The type of the data, or else of the filename. Throws `refused` without either. */
export function fileOf({ file }: FilePart, path: string): DataUrl {
  const given = readDataUrl(file.file_data);
  if (given && given.mediaType !== 'application/octet-stream') return given;
  const mediaType = MEDIA_TYPES[extname(file.filename).toLowerCase()];
  if (mediaType) return { mediaType, base64: given?.base64 ?? file.file_data };
  throw refused(
    `${path}.file.file_data: does not say what it is; send a data: URL with its media type, or a filename with a known ending`,
  );
}

export function dataUrlOf({ mediaType, base64 }: DataUrl): string {
  return `data:${mediaType};base64,${base64}`;
}

const TEXT = /^(text\/|application\/(json|xhtml|xml|yaml|x-yaml|javascript|sql|x-ndjson|toml)\b)|\+(json|xml)$/;

export function isText(mediaType: string): boolean {
  return TEXT.test(mediaType);
}
