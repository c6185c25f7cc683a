import { neighbouringPairs, withoutUnspaced } from '../../knowledge/terms.ts';
import { commentTerms, searchTerms } from '../reviews/portuguese.ts';

/*
 * Words of contents: the stems of reviews, and of scripts without spaces each character and each
 * pair of neighbours.
 */

export function contentTerms(text: string): string[] {
  const { runs, rest } = withoutUnspaced(text);
  if (runs.length === 0) return commentTerms(text);
  return [...new Set([commentTerms(rest), ...runs, ...runs.map(neighbouringPairs)].flat())];
}

/** A match has a term of each list. */
export function contentSearchTerms(search: string): string[][] {
  const { runs, rest } = withoutUnspaced(search);
  const parts = runs.flatMap((run) => (run.length === 1 ? run : neighbouringPairs(run)));
  return [...searchTerms(rest), ...[...new Set(parts)].map((part) => [part])];
}
