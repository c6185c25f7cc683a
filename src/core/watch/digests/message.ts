import type { SeriesAnnotation } from '../../analytics/events/questions/answer-schema.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Message, MessagePicture } from '../deliveries/message.ts';
import type { CardSummary } from './summary.ts';

/** A card that could not be rendered has an error in place of its summary. */
export type DigestCard = CardSummary | { id: string; title: string; error: string };

export interface DigestContent {
  id: string;
  title: string;
  cards: DigestCard[];
  /** Since the digest before. */
  annotations: SeriesAnnotation[];
  /** PNGs by card. */
  pictures: Map<string, Uint8Array>;
  /** Epoch milliseconds. */
  at: number;
  /** Of the dashboards; null: this server has no public URL. */
  url: string | null;
}

export function digestMessage({ id, title, cards, annotations, pictures, at, url }: DigestContent): Message {
  const drawn = cards.flatMap((card, index): (MessagePicture & { cardId: string })[] => {
    const png = pictures.get(card.id);
    if (!png) return [];
    return [
      {
        cardId: card.id,
        name: `card-${index + 1}.png`,
        png: Buffer.from(png).toString('base64'),
        cid: `card-${index + 1}`,
      },
    ];
  });
  const notes = annotations.map((one) => `${one.at.slice(0, 10)}: ${one.text}`);
  const lines = [
    ...cards.map(lineOf),
    ...(notes.length > 0 ? ['What happened:', ...notes] : []),
    ...(url ? [url] : []),
  ];
  return {
    type: 'digest',
    title,
    text: lines.join('\n'),
    data: { digestId: id, title, at: formatUtc(at), cards, annotations, ...(url !== null && { url }) },
    html: htmlOf({ title, cards, notes, url }, new Map(drawn.map(({ cardId, cid }) => [cardId, cid]))),
    pictures: drawn.map(({ cardId: _, ...picture }) => picture),
  };
}

/** In place of a digest whose cards cannot be found. */
export function failedDigestMessage(
  { id, title, at }: Pick<DigestContent, 'id' | 'title' | 'at'>,
  error: string,
): Message {
  const text = `The digest could not be made: ${error}`;
  return { type: 'digest.failed', title, text, data: { digestId: id, title, at: formatUtc(at), error } };
}

function lineOf(card: DigestCard): string {
  return `${card.title}: ${'error' in card ? `could not be shown: ${card.error}` : shownText(card)}`;
}

function shownText({ text, change }: CardSummary): string {
  return change === null ? text : `${text} (${change})`;
}

type Page = Pick<DigestContent, 'title' | 'cards' | 'url'> & { notes: string[] };

/** Mail programs know little of CSS: one column, and styles on the elements. */
function htmlOf({ title, cards, notes, url }: Page, cids: Map<string, string>): string {
  const sections = cards.map((card) => {
    const text = escaped(lineOf(card));
    const cid = cids.get(card.id);
    const picture = cid
      ? `<img src="cid:${cid}" alt="${text}" width="640" style="max-width:100%;height:auto;border:0">`
      : '';
    return `<p style="margin:24px 0 8px"><strong>${escaped(card.title)}</strong><br>${escaped(afterTitle(card))}</p>${picture}`;
  });
  const happened =
    notes.length > 0 ? `<p><strong>What happened</strong><br>${notes.map(escaped).join('<br>')}</p>` : '';
  const link = url ? `<p><a href="${escaped(url)}">Open the dashboard</a></p>` : '';
  return `<!doctype html><html><body style="font-family:sans-serif;max-width:680px"><h1 style="font-size:20px">${escaped(title)}</h1>${sections.join('')}${happened}${link}</body></html>`;
}

function afterTitle(card: DigestCard): string {
  return 'error' in card ? `could not be shown: ${card.error}` : shownText(card);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
