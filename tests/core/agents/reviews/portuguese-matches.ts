import { commentTerms, searchTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import type { Postgres } from '../../../support/postgres.ts';

/** For every search the places of the comments that it finds, in order. */
type Matches = number[][];

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
