import type { Schemas } from '../../../../api/schemas.ts';
import { t } from '../../../../language/index.ts';
import { isMembers } from '../../../../transcript/conversation/messages.ts';

type Source = Schemas['SearchResult']['results'][number]['source'];

/** A passage of a search, as the model was given it. */
export interface Citation {
  number: number;
  source: Source;
  text: string;
}

/** The passages of a result; none if somebody wrote it by hand, or the search failed. */
export function citationsIn(result: string): Citation[] {
  try {
    const value: unknown = JSON.parse(result);
    return Array.isArray(value) ? value.filter(isCitation) : [];
  } catch {
    return [];
  }
}

function isCitation(value: unknown): value is Citation {
  if (!isMembers(value) || !isMembers(value.source)) return false;
  return typeof value.number === 'number' && typeof value.text === 'string' && typeof value.source.name === 'string';
}

/** Where in its file a passage stands. */
export function placeText({ page, row, line, heading }: Source): string {
  if (heading !== undefined) return heading;
  if (page !== undefined) return t('page {page}', { page });
  if (row !== undefined) return t('row {row}', { row });
  return line === undefined ? '' : t('line {line}', { line });
}
