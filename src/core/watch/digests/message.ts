import { LOCALES, type MessageTranslator, messageTranslator, type TextLanguage } from '../../../language/messages.ts';
import { formatRate, formatValue } from '../../analytics/dashboards/format.ts';
import type { RenderedCard } from '../../analytics/dashboards/render.ts';
import { decimal } from '../../analytics/events/decimals.ts';
import { DATE_GROUPINGS } from '../../analytics/events/fields.ts';
import type { SeriesAnnotation } from '../../analytics/events/questions/answer-schema.ts';
import { oneLine } from '../../base/shared/text.ts';
import { formatUtc, LONGEST_BUCKET, startOfBucket } from '../../base/time/time.ts';
import type { Message, MessagePicture } from '../deliveries/message.ts';

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
  /** The URL of the dashboards; null if this server has no public URL. */
  url: string | null;
  language: TextLanguage;
}

export function digestMessage(content: DigestContent): Message {
  const { id, title, cards, annotations, pictures, at, url, language } = content;
  const say = messageTranslator(language);
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
    ...cards.map((card) => lineOf(card, say)),
    ...(notes.length > 0 ? [say('What happened:'), ...notes] : []),
    ...(url ? [url] : []),
  ];
  return {
    type: 'digest',
    title,
    text: lines.join('\n'),
    data: { digestId: id, title, at: formatUtc(at), cards, annotations, ...(url !== null && { url }) },
    html: htmlOf({ title, cards, notes, url, language }, new Map(drawn.map(({ cardId, cid }) => [cardId, cid]))),
    pictures: drawn.map(({ cardId: _, ...picture }) => picture),
  };
}

/** In place of a digest whose cards cannot be found. */
export function failedDigestMessage(
  { id, title, at, language }: Pick<DigestContent, 'id' | 'title' | 'at' | 'language'>,
  error: string,
): Message {
  const text = messageTranslator(language)('The digest could not be made: {error}', { error });
  return { type: 'digest.failed', title, text, data: { digestId: id, title, at: formatUtc(at), error } };
}

function lineOf(card: DigestCard, say: MessageTranslator): string {
  return `${card.title}: ${afterTitle(card, say)}`;
}

function shownText({ text, change }: CardSummary): string {
  return change === null ? text : `${text} (${change})`;
}

type Page = Pick<DigestContent, 'title' | 'cards' | 'url' | 'language'> & { notes: string[] };

/** Mail programs know little of CSS: one column, and styles on the elements. */
function htmlOf({ title, cards, notes, url, language }: Page, cids: Map<string, string>): string {
  const say = messageTranslator(language);
  const sections = cards.map((card) => {
    const text = escaped(lineOf(card, say));
    const cid = cids.get(card.id);
    const picture = cid
      ? `<img src="cid:${cid}" alt="${text}" width="640" style="max-width:100%;height:auto;border:0">`
      : '';
    return `<p style="margin:24px 0 8px"><strong>${escaped(card.title)}</strong><br>${escaped(afterTitle(card, say))}</p>${picture}`;
  });
  const happened =
    notes.length > 0 ? `<p><strong>${say('What happened')}</strong><br>${notes.map(escaped).join('<br>')}</p>` : '';
  const link = url ? `<p><a href="${escaped(url)}">${say('Open the dashboard')}</a></p>` : '';
  return `<!doctype html><html lang="${LOCALES[language]}"><body style="font-family:sans-serif;max-width:680px"><h1 style="font-size:20px">${escaped(title)}</h1>${sections.join('')}${happened}${link}</body></html>`;
}

function afterTitle(card: DigestCard, say: MessageTranslator): string {
  return 'error' in card ? say('could not be shown: {error}', { error: card.error }) : shownText(card);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

export interface CardSummary {
  id: string;
  title: string;
  /** The card's content in one line. */
  text: string;
  /** The number that digests are compared by; null: the card has none. */
  value: number | null;
  /** The handle of the events behind it. */
  cases?: string;
  /** Against the digest before; null: nothing to compare. */
  change: string | null;
}

/**
 * `before` is the value in the digest before; `at`: epoch milliseconds, before the card was
 * rendered.
 */
export function digestSummaryOf(
  { card, data, basis }: RenderedCard,
  { at, before, language }: { at: number; before: number | undefined; language: TextLanguage },
): CardSummary {
  const { id, title } = card;
  const end = Math.min(basis.to === null ? at : Date.parse(basis.to), at);
  const { text, value } = shown({ card, data }, { end, isOver: end < at, timezone: basis.timezone, language });
  const { cases } = basis;
  return { id, title, text, value, change: changeText(value, before, language), ...(cases !== undefined && { cases }) };
}

interface Shown {
  text: string;
  value: number | null;
}

/** The end of the card's range or now, in epoch milliseconds, and whether it lies in the past. */
interface Ending {
  end: number;
  isOver: boolean;
  timezone: string;
  language: TextLanguage;
}

function shown({ card, data }: Pick<RenderedCard, 'card' | 'data'>, ending: Ending): Shown {
  const { language } = ending;
  const [say, locale] = [messageTranslator(language), LOCALES[language]];
  if ('value' in data) return { text: valueText(card, data, language), value: data.value };
  if ('rows' in data) return { text: say.count(data.total, '{count} row', '{count} rows'), value: data.total };
  if ('steps' in data) {
    const { conversion = null, label = card.title } = data.steps.at(-1) ?? {};
    return {
      text: say('{share} reach {label}', { share: formatRate(conversion, {}, locale), label }),
      value: conversion,
    };
  }
  const shownValue = (value: number | null) => formatValue(value, data.format, false, locale);
  if ('groups' in data) return { text: largestText(data.groups, shownValue) || say('no data'), value: null };
  const bucket = lastComplete(data.series, ending);
  if (bucket === undefined) return { text: say('no data'), value: null };
  const points = data.series.filter((point) => point.bucket === bucket);
  const [first] = points;
  const isSingle = first!.group === undefined;
  const text = isSingle ? shownValue(first!.value) : largestText(points, shownValue);
  return {
    text: say('{text} in the bucket from {start}', { text, start: startText(bucket) }),
    value: isSingle ? first!.value : null,
  };
}

type ValueData = Extract<RenderedCard['data'], { formatted: string }>;

/** The number of the answer, which is written in English, in the language of the digest. */
function valueText({ cardType }: RenderedCard['card'], data: ValueData, language: TextLanguage): string {
  if (language === 'en') return data.formatted;
  return formatValue(data.value, data.format, cardType === 'rate', LOCALES[language]);
}

/** The last bucket that the end neither precedes nor cuts off. Undefined: there is none. */
function lastComplete(series: readonly { bucket: string }[], { end, isOver, timezone }: Ending): string | undefined {
  const all = [...new Set(series.map(({ bucket }) => bucket))];
  const begun = all.filter((bucket) => Date.parse(bucket) < end);
  const [before, last] = [begun.at(-2), begun.at(-1)];
  if (before === undefined || last === undefined) return isOver ? last : undefined;
  const distance = Date.parse(last) - Date.parse(before);
  const unit = DATE_GROUPINGS.find((one) => distance <= LONGEST_BUCKET[one]) ?? 'year';
  return Date.parse(last) < startOfBucket(end, unit, timezone).at ? last : before;
}

/** The date, with the time of day for buckets that do not begin at midnight. */
function startText(bucket: string): string {
  const [date, time] = [bucket.slice(0, 10), bucket.slice(11, 16)];
  return time === '00:00' || time === '' ? date : `${date} ${time}`;
}

interface Named {
  group?: unknown;
  value: number | null;
}

function largestText(groups: readonly Named[], shownValue: (value: number | null) => string): string {
  const largest = groups.toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0)).slice(0, 3);
  return largest.map(({ group, value }) => `${oneLine(String(group))} ${shownValue(value)}`).join(', ');
}

function changeText(value: number | null, before: number | undefined, language: TextLanguage): string | null {
  const say = messageTranslator(language);
  if (value === null || before === undefined) return null;
  if (value === before) return say('unchanged since the last digest');
  const isMore = value > before;
  if (before === 0) return say(isMore ? 'up from 0 since the last digest' : 'down from 0 since the last digest');
  const ratio = formatRate(decimal(Math.abs((value - before) / before)), {}, LOCALES[language]);
  return say(isMore ? 'up {ratio} since the last digest' : 'down {ratio} since the last digest', { ratio });
}
