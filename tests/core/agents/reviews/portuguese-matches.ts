import { stopwords } from '@orama/stopwords/portuguese';
import { commentTerms, searchTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import type { Postgres } from '../../../support/postgres.ts';
import { comments, MORE_PLURALS, PLURALS, searches } from './portuguese-texts.ts';

/** For every search the places of the comments that it finds, in order. */
export type Matches = number[][];

export function ourMatches(comments: readonly string[], searches: readonly string[]): Matches {
  const indexed = comments.map((comment) => new Set(commentTerms(comment)));
  return searches.map((search) => {
    const demanded = searchTerms(search);
    const isFound = (place: number) =>
      demanded.length > 0 && demanded.every((variants) => variants.some((variant) => indexed[place]!.has(variant)));
    return [...comments.keys()].filter(isFound);
  });
}

export async function postgresMatches(
  postgres: Postgres,
  comments: readonly string[],
  searches: readonly string[],
): Promise<Matches> {
  const rows = await postgres.rows<[search: number, comment: number]>(
    `WITH comment AS MATERIALIZED (
       SELECT place::int, to_tsvector('portuguese', text) AS vector
       FROM unnest($1::text[]) WITH ORDINALITY AS given(text, place)
     ), search AS MATERIALIZED (
       SELECT place::int, plainto_tsquery('portuguese', text) AS query
       FROM unnest($2::text[]) WITH ORDINALITY AS given(text, place)
     )
     SELECT search.place - 1, comment.place - 1 FROM search JOIN comment ON vector @@ query ORDER BY 1, 2`,
    [comments, searches],
  );
  const matches: Matches = searches.map(() => []);
  for (const [search, comment] of rows) matches[search]!.push(comment);
  return matches;
}

/** What the first finds that the second does not. */
export function beyond(matches: Matches, others: Matches): Matches {
  return matches.map((places, search) => {
    const alsoFound = new Set(others[search]);
    return places.filter((place) => !alsoFound.has(place));
  });
}

export const NO_REASON = 'NO REASON';

type Rewrite = (text: string) => string;

const ENDINGS = 'ação ações ução uções ável ível ância ência ências arão erão irão íamos ávamos êssemos'.split(' ');
const SINGULARS = new Map(
  [...PLURALS, ...MORE_PLURALS].map(([singular, plural]) => [withoutAccents(plural), withoutAccents(singular)]),
);
const STOP_WORDS = new Set(stopwords.map(withoutAccents));

/** Why a comment is found that PostgreSQL does not find: it would, were both the comment and the search written so. */
const REASONS: readonly [reason: string, rewrite: Rewrite][] = [
  ['accents', withoutAccents],
  ['parts', inParts],
  ['accents and parts', (text) => inParts(withoutAccents(text))],
  ['endings without accents', (text) => withEndings(inParts(withoutAccents(text)))],
  ['stop words without accents', (text) => withEndings(withoutStopWords(inParts(withoutAccents(text))))],
  ['singular and plural', (text) => withEndings(withoutStopWords(inSingular(inParts(withoutAccents(text)))))],
];

/**
 * For every search how many comments PostgreSQL finds, and by reason the places of those that are found beyond it, with
 * the first one's text.
 */
export async function describeDifferences(postgres: Postgres): Promise<string> {
  const exactly = await postgresMatches(postgres, comments, searches);
  const rewritten: [reason: string, matches: Matches][] = [];
  for (const [reason, rewrite] of REASONS) {
    const asSearched = searches.map((search) => rewrite(withoutIgnored(search)));
    rewritten.push([reason, await postgresMatches(postgres, comments.map(rewrite), asSearched)]);
  }
  const reasonOf = (search: number, comment: number) =>
    withoutStopWords(inParts(withoutAccents(searches[search]!))) === ''
      ? 'nothing but stop words'
      : (rewritten.find(([, matches]) => matches[search]!.includes(comment))?.[0] ?? NO_REASON);
  const paragraphs = beyond(ourMatches(comments, searches), exactly).map((places, search) => {
    const byReason = Map.groupBy(places, (comment) => reasonOf(search, comment));
    const lines = [...byReason].map(([reason, some]) => `  ${reason}: ${some.join(' ')}\n    ${comments[some[0]!]}`);
    return [`${JSON.stringify(searches[search])}: ${exactly[search]!.length}`, ...lines].join('\n');
  });
  return `${paragraphs.join('\n')}\n`;
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

function inParts(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(/(?<![\p{L}\p{N}])\d+(?=\p{L})/gu, '$& ')
    .trim();
}

function withEndings(text: string): string {
  return ENDINGS.reduce(
    (written, ending) => written.replace(new RegExp(`${withoutAccents(ending)}\\b`, 'gi'), ending),
    text,
  );
}

function inSingular(text: string): string {
  return text
    .split(' ')
    .map((word) => SINGULARS.get(word.toLowerCase()) ?? word)
    .join(' ');
}

function withoutStopWords(text: string): string {
  const words = text.split(' ').filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return words.join(' ');
}

function withoutIgnored(search: string): string {
  return search.replace(/<[^>]*>|&\w+;|\w+:\/\//g, ' ');
}
