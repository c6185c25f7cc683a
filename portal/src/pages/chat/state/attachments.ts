import { t } from '../../../language/index.ts';
import type { ContentPart, Conversation } from './conversation.ts';
import { type Side, type Source, sideText, takenBy } from './sides.ts';

/** The API takes 20 MB of a request; texts and tools need some of it. */
const MOST_CHARACTERS = 18_000_000;
const MEGABYTE = 1_000_000;
/** Base64 has four characters for three bytes. */
const GROWTH = 4 / 3;

/** Images that browsers show and every vendor takes. */
const IMAGE = /^image\/(jpeg|png|gif|webp)$/;

export interface Attaching {
  conversation: Conversation;
  sources: readonly Source[];
}

type Named = Pick<File, 'name' | 'type' | 'size'>;

/** The files that can be sent, and why others cannot. */
export function attachable<Given extends Named>(
  { conversation, sources }: Attaching,
  files: readonly Given[],
): { files: Given[]; refusals: string[] } {
  const taken: Given[] = [];
  const refusals: string[] = [];
  let left = MOST_CHARACTERS - charactersIn(conversation);
  for (const file of files) {
    const refusing = conversation.sides.find((side) => !takes(conversation, sources, side, file));
    const characters = file.size * GROWTH;
    if (refusing !== undefined) {
      const values = { name: file.name, model: sideText(refusing) };
      refusals.push(
        IMAGE.test(file.type)
          ? t('{name}: {model} takes no images.', values)
          : t('{name}: {model} takes no files.', values),
      );
    } else if (characters > left) {
      const size = Math.floor(MOST_CHARACTERS / GROWTH / MEGABYTE);
      refusals.push(
        t('{name} is too large: a conversation has room for {size} MB of files.', { name: file.name, size }),
      );
    } else {
      left -= characters;
      taken.push(file);
    }
  }
  return { files: taken, refusals };
}

function takes({ parameters }: Conversation, sources: readonly Source[], side: Side, file: Named): boolean {
  const { images, files } = takenBy(sources, side, parameters.legacy);
  return IMAGE.test(file.type) ? images !== 'none' : files;
}

function charactersIn({ exchanges, composed }: Conversation): number {
  const parts = [...exchanges.flatMap((one) => one.parts), ...composed.parts];
  return parts.reduce((sum, part) => sum + dataOf(part).length, 0);
}

function dataOf(part: ContentPart): string {
  if (part.type === 'image_url') return part.image_url.url;
  return part.type === 'file' ? part.file.file_data : '';
}

/** The bytes of an attachment: its base64, without what is before and after the digits. */
export function sizeOf(part: ContentPart): number {
  const data = dataOf(part);
  const padding = data.indexOf('=', data.length - 2);
  const digits = (padding < 0 ? data.length : padding) - data.indexOf(',') - 1;
  return Math.floor(digits / GROWTH);
}

export function partOf(file: Named, dataUrl: string): ContentPart {
  if (IMAGE.test(file.type)) return { type: 'image_url', image_url: { url: dataUrl } };
  return { type: 'file', file: { filename: file.name, file_data: dataUrl } };
}

/** Says in sentences which files the models take. */
export function takenText({ conversation: { sides, parameters }, sources }: Attaching): string {
  const taken = sides.map((side) => takenBy(sources, side, parameters.legacy));
  const images = taken.every((one) => one.images !== 'none') ? t('Images: JPEG, PNG, GIF, WebP.') : t('No images.');
  return `${images} ${taken.every(({ files }) => files) ? filesText(sides) : t('No files.')}`;
}

function filesText(sides: readonly Side[]): string {
  const isAsked = (vendor: Side['vendor']) => sides.some((side) => side.vendor === vendor);
  if (isAsked('anthropic')) return t('Files: PDF and text.');
  if (isAsked('bedrock')) return t('Files: PDF, Word, Excel, CSV, HTML, Markdown and other text.');
  return t('Files: PDF, and others that the model reads.');
}
