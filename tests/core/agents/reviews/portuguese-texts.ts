import fc from 'fast-check';
import type { Postgres } from '../../../support/postgres.ts';
import { comments } from './portuguese-comments.ts';
import { searches } from './portuguese-searches.ts';

/** What people write, and what PostgreSQL's parser has rules for. */
const FRAGMENTS = [
  ...comments,
  ...searches,
  '1 10 1.234,56 12.5 -5 +5 1e5 12e4 3.5e2 007 10:30 5kg 12.5kg -5kg 3x0 1.2.3 192.168.0.1 A1B2 v2.0 2-3dias',
  'joao@site.com.br foo_bar@x.io http://a.b/c ftp:// https:// site.com:8080/x /usr/bin ./a/b ../x ~/doc C:\\temp',
  "a/b km/h não é está estava que e ou à às irmão irmã pão pães útil úteis d'água pré-pago dar-lhe-ei ção ã",
  '<b> </b> <br/> <!--x--> <script> </script> <style> </style> <x < > <> </ <3 <!DOCTYPE> <?xml?> & ;',
  '&amp; &nbsp; &#39; &#xE1; “ ” ’ — – … 👍 ❤️ 1️⃣ • « ² ³ ½ ™ º ª € R$',
].flatMap((text) => text.split(/\s+/));
const TAGS = ['<p class="x y">', "<a href='http://a.com/b'>"];
const JOINTS = ['', ' ', ' - ', ', ', '. ', '...', '--', '://', '\n', '\u00a0', ...'!"#$%&\'()*+,-./:;=?@\\_|~'];

const fragment = fc.constantFrom(...new Set(FRAGMENTS), ...TAGS);
const joint = fc.oneof(
  { weight: 1, arbitrary: fc.constant(' ') },
  { weight: 2, arbitrary: fc.constantFrom(...JOINTS) },
);

/** Some texts of a few fragments in any order, with anything between them. */
export const texts = fc.array(
  fc.array(fc.tuple(fragment, joint), { minLength: 1, maxLength: 5 }).map((parts) => parts.flat().join('')),
  { minLength: 1, maxLength: 10 },
);

/** Tokens of PostgreSQL that have parts. */
const COMPOUNDS = ['email', 'url', 'host', 'url_path', 'file'];
/** Tokens that may end in the middle of a word. A URL is followed by its own parts. */
const CUT = ['email', 'host', 'url_path', 'file', 'sfloat'];

type Token = [type: string, text: string, isSearchedFor: boolean];

/** Why PostgreSQL may find what we do not, in texts that nobody searches for: null where there is no excuse. */
export async function excuse(postgres: Postgres, comment: string, search: string): Promise<string | null> {
  const tokens = await tokensOf(postgres, search);
  if (cutsWord(tokens) || cutsWord(await tokensOf(postgres, comment))) {
    return 'an ASCII path or address, or a number with an exponent, ends for PostgreSQL within a word: troca/devolu-ção';
  }
  if (tokens.every(([type, , isSearchedFor]) => !isSearchedFor || COMPOUNDS.includes(type))) {
    return 'nothing but paths and addresses that consist of stop words, protocols or signs, beside stop words: só e/ou';
  }
  const composed = search.normalize('NFC');
  if (composed !== search && (await tokensOf(postgres, composed)).every(([, , isSearchedFor]) => !isSearchedFor)) {
    return 'a stop word with its accents apart is none for PostgreSQL, which does not normalise';
  }
  return /-[a-z]+:\/\//i.test(search) ? 'the last part of a hyphenated word is no protocol for PostgreSQL' : null;
}

function tokensOf(postgres: Postgres, text: string): Promise<Token[]> {
  return postgres.rows<Token>(
    "SELECT alias, token, coalesce(cardinality(lexemes), 0) > 0 FROM ts_debug('portuguese', $1)",
    [text],
  );
}

function cutsWord(tokens: Token[]): boolean {
  return tokens.some(([type], place) => {
    const [nextType, nextText] = tokens[place + 1] ?? ['blank', ''];
    return CUT.includes(type) && nextType !== 'blank' && /^[\p{L}\p{N}]/u.test(nextText);
  });
}
