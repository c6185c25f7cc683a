import { stopwords } from '@orama/stopwords/portuguese';
import type { Postgres } from '../../../support/postgres.ts';
import { comments } from './portuguese-comments.ts';
import { beyond, type Matches, ourMatches, postgresMatches } from './portuguese-matches.ts';
import { MORE_PLURALS, PLURALS } from './portuguese-pairs.ts';
import { searches } from './portuguese-searches.ts';

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

/** Numbers at the beginning of a word are apart from it. */
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

/** What PostgreSQL leaves out of a search: tags, entities and protocols. */
function withoutIgnored(search: string): string {
  return search.replace(/<[^>]*>|&\w+;|\w+:\/\//g, ' ');
}
